// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JsonLinesTest {
    record Quake(
            @Nullable String id,
            @Nullable Properties properties,
            @Nullable Geometry geometry) {}

    record Properties(
            @Nullable Double mag,
            @Nullable String place,
            long time,
            @Nullable String net,
            @Nullable String magType,
            int sig) {}

    record Geometry(double @Nullable [] coordinates) {}

    record Point(int x) {}

    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldReadNestedRecords() throws Exception {
        Path file = write("quakes.jsonl", """
                {"type":"Feature","properties":{"mag":4.7,"place":"Raoul","time":1517365017350,"tz":-720,"felt":null,\
                "sig":340,"net":"us","ids":",us,","magType":"mb"},"geometry":{"type":"Point",\
                "coordinates":[-175.7709,-28.3222,10]},"id":"us2000crl8"}
                """);

        List<Quake> quakes = Reading.all(JsonLines.read(file.toString(), Quake.class), context);

        assertThat(quakes).hasSize(1);
        assertThat(quakes.get(0).properties()).isEqualTo(new Properties(4.7, "Raoul", 1517365017350L, "us", "mb", 340));
        assertThat(quakes.get(0).geometry().coordinates()).containsExactly(-175.7709, -28.3222, 10);
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldTellBadLinesAndGoOn() throws Exception {
        Path file = write("points.jsonl", "{\"x\":1}\n\n{\"x\":oops}\r\n  \t\n{\"x\":2}\n{\"x\":\"3\"}\n{\"x\":4}");

        assertThat(Reading.all(JsonLines.read(file.toString(), Point.class), context))
                .containsExactly(new Point(1), new Point(2), new Point(4));
        assertThat(context.bad)
                .extracting(BadRecord::split, BadRecord::line, BadRecord::offset, bad -> text(bad.bytes()))
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(file.toString(), 3L, 9L, "{\"x\":oops}"),
                        org.assertj.core.groups.Tuple.tuple(file.toString(), 6L, 33L, "{\"x\":\"3\"}"));
        assertThat(context.reasons())
                .containsExactly(
                        "byte 5, 'x': a number is expected, found 'o'",
                        "byte 5, 'x': a number is expected, found a string");
    }

    record Known(UUID id) {}

    /** Of the group 1a456 the JDK would take the last four digits. */
    @Test
    void shouldRefuseATextThatIsNoUuid() throws Exception {
        Path file = write("ids.jsonl", """
                {"id":"123E4567-e89b-12d3-a456-426614174000"}
                {"id":"123e4567-e89b-12d3-1a456-42661417400"}
                """);

        assertThat(Reading.all(JsonLines.read(file.toString(), Known.class), context))
                .containsExactly(new Known(UUID.fromString("123e4567-e89b-12d3-a456-426614174000")));
        assertThat(context.reasons())
                .singleElement()
                .asString()
                .endsWith(" is expected, found '123e4567-e89b-12d3-1a456-42661417400'");
    }

    @Test
    void shouldGoOnFromAnyPosition() throws Exception {
        StringBuilder text = new StringBuilder("\ufeff");
        List<Point> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            text.append(i % 7 == 0 ? "bad\n\n" : "")
                    .append("{\"x\":")
                    .append(i)
                    .append("}")
                    .append(i % 3 == 0 ? "\r\n" : "\n");
            all.add(new Point(i));
        }
        Path plain = write("points.jsonl", text.toString());
        for (Path file : List.of(plain, gzip("points.jsonl.gz", text.toString()))) {
            assertThat(Reading.all(JsonLines.read(file.toString(), Point.class), context))
                    .isEqualTo(all);
            SourceContract.checkReplay(JsonLines.read(file.toString(), Point.class));
        }
    }

    @Test
    void shouldKeepThePrefixOfALineThatIsTooLong() throws Exception {
        String longLine = "{\"x\":" + " ".repeat(2_000_000) + "7}";
        Path file = write("points.jsonl", "{\"x\":1}\n" + longLine + "\n{\"x\":2}\n" + longLine);

        assertThat(Reading.all(JsonLines.read(file.toString(), Point.class).maxLineBytes(1_000_000), context))
                .containsExactly(new Point(1), new Point(2));
        assertThat(context.reasons())
                .containsOnly("the line is longer than 1000000 bytes")
                .hasSize(2);
        assertThat(context.bad.get(0).line()).isEqualTo(2);
        assertThat(context.bad.get(0).offset()).isEqualTo(8);
        assertThat(context.bad.get(0).bytes()).hasSize(64 * 1024);
        assertThat(context.bad.get(1).line()).isEqualTo(4);
        assertThat(Reading.all(JsonLines.read(file.toString(), Point.class), context))
                .hasSize(4);
    }

    @Test
    void shouldTellOfARecordThatCannotBeReadWhenTheSourceIsMade() {
        record Odd(Thread thread) {}
        assertThatThrownBy(() -> JsonLines.read("x", Odd.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("record Odd, component 'thread': java.lang.Thread cannot be read from JSON");
        assertThatThrownBy(() -> JsonLines.read("x", String.class))
                .hasMessage("java.lang.String is not a record class");
    }

    @Test
    void shouldTellOfAMissingFile() {
        assertThatThrownBy(() -> JsonLines.read("nowhere.jsonl", Point.class).splits(1))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("cannot read nowhere.jsonl: no such file in /");
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path gzip(String name, String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return Files.write(directory.resolve(name), bytes.toByteArray());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
