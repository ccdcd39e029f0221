// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.testkit.contract.SourceContract;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextLinesTest {
    @TempDir
    Path directory;

    private final FakeContext context = new FakeContext();

    @Test
    void shouldReadEveryLine() throws Exception {
        Path file = Files.writeString(directory.resolve("in.txt"), "\ufeffone\n\nGröße 🙂\r\n a\rb \r\nlast");
        assertThat(Reading.all(TextLines.read(file.toString()), context))
                .containsExactly("one", "", "Größe 🙂", " a\rb ", "last");
        SourceContract.checkReplay(TextLines.read(file.toString()));
    }

    private static byte[] utf16(byte first, byte second, Charset charset, String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(first);
        bytes.write(second);
        bytes.writeBytes(text.getBytes(charset));
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    /** All lines but the first were texts with zeros in them. */
    @Test
    void shouldRefuseUtf16() throws Exception {
        byte little = (byte) 0xff;
        byte big = (byte) 0xfe;
        byte[] one = utf16(little, big, StandardCharsets.UTF_16LE, "1,one\n2,two\n");
        byte[] other = utf16(big, little, StandardCharsets.UTF_16BE, "1,one\n2,two\n");
        record Row(int id, String name) {}
        for (byte[] text : List.of(one, other, gzip(one))) {
            Path file = Files.write(directory.resolve("in.txt"), text);
            for (Source<?> source : List.of(
                    TextLines.read(file.toString()),
                    JsonLines.read(file.toString()),
                    Csv.read(file.toString(), Row.class).withoutHeader())) {
                try (Reading.Split<?> split = new Reading.Split<>(source.open(file.toString(), context))) {
                    assertThatThrownBy(() -> {
                                while (split.reader().poll() == null) {
                                    // no line is a record
                                }
                            })
                            .isInstanceOf(ConnectorException.class)
                            .hasMessage("cannot read " + file
                                    + ": it is in UTF-16, as its byte order mark says; convert it to UTF-8, as iconv -f"
                                    + " UTF-16 -t UTF-8 does");
                }
            }
        }
        assertThat(context.bad).isEmpty();
        Path half = Files.write(directory.resolve("half.txt"), new byte[] {little, '\n', 'a', '\n', little});
        assertThat(Reading.all(TextLines.read(half.toString()), context)).containsExactly("a");
        assertThat(context.reasons()).containsExactly("byte 0: invalid UTF-8", "byte 0: invalid UTF-8");
    }

    /** A CR is part of a line end only before an LF, also where the input ends. */
    @Test
    void shouldReadLinesAsTheyAreSplitAtTheirEnds() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            String text = random.ints(random.nextInt(12), 0, 5)
                    .mapToObj(List.of("a", "bc", "\r", "\n", "\r\n")::get)
                    .collect(Collectors.joining());
            List<String> lines = new ArrayList<>(List.of(text.split("\r?\n", -1)));
            if (lines.get(lines.size() - 1).isEmpty()) {
                lines.remove(lines.size() - 1);
            }
            Path file = Files.writeString(directory.resolve("in.txt"), text);
            assertThat(Reading.all(TextLines.read(file.toString()), context))
                    .as(text.replace('\r', '<'))
                    .isEqualTo(lines);
        }
    }

    @Test
    void shouldTellOfInvalidUtf8AndLongLines() throws Exception {
        Path file = Files.write(
                directory.resolve("in.txt"), "good\nbad \u00ff\n0123456789\nend".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(Reading.all(TextLines.read(file.toString()).maxLineBytes(9), context))
                .containsExactly("good", "end");
        assertThat(context.reasons()).containsExactly("byte 4: invalid UTF-8", "the line is longer than 9 bytes");
        assertThat(context.bad.get(0).bytes()).containsExactly('b', 'a', 'd', ' ', 0xff);
    }

    @ParameterizedTest
    @ValueSource(ints = {64 * 1024, 2 * 64 * 1024, 256 * 1024})
    void shouldKeepAsMuchOfALongLineWhereverItBegins(int aroundOffset) throws Exception {
        byte[] kept = "x".repeat(64 * 1024).getBytes(StandardCharsets.UTF_8);
        for (int offset = aroundOffset - 12; offset <= aroundOffset + 12; offset++) {
            String before = "\n".repeat(offset);
            Path file = Files.writeString(
                    directory.resolve("in.txt"), before + "x".repeat(300_000) + "\n" + "x".repeat(11) + "\nend");
            context.bad.clear();
            assertThat(Reading.all(TextLines.read(file.toString()).maxLineBytes(10), context))
                    .hasSize(offset + 1);
            assertThat(context.bad)
                    .as("long line at %d", offset)
                    .extracting(BadRecord::bytes)
                    .containsExactly(kept, "x".repeat(11).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void shouldWriteALineAText() throws Exception {
        Path file = directory.resolve("out.txt.gz");
        List<String> lines = List.of("one", "", "Größe 🙂", "\"quoted\", with comma");
        Writing.all(TextLines.write(file.toString()), lines);
        assertThat(Reading.all(TextLines.read(file.toString()), context)).isEqualTo(lines);
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldRefuseHalfASurrogatePair() throws Exception {
        Path file = directory.resolve("out.txt");
        SinkWriter<String> writer =
                TextLines.write(file.toString()).open(Writing.context(0, 1, new ByteArrayOutputStream()));
        for (String text : List.of("a\ud83d", "\ude42\ud83d", "\ud83d\ud83d\ude42", "ö\ude42")) {
            assertThatThrownBy(() -> writer.write(text)).isInstanceOf(BadRecordException.class);
        }
        writer.write("\ud83d\ude42");
        writer.finish();
        writer.close();
        assertThat(file).hasContent("🙂\n");
    }
}
