// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.Packages;
import io.thalweg.python.text.MalformedTextException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is written, read by ourselves and by pyarrow; and what pyarrow writes. */
@Timeout(600)
final class ColumnsTest {
    private static final int SEEDS = 40;

    record All(
            boolean truth,
            byte small,
            short shorter,
            int number,
            long large,
            float real,
            double exact,
            @Nullable Boolean maybe,
            @Nullable Integer some,
            @Nullable Double perhaps,
            @Nullable String text,
            byte @Nullable [] bytes,
            @Nullable Instant time,
            @Nullable LocalDate day) {
        List<@Nullable Object> values() {
            return Arrays.asList(
                    truth,
                    small,
                    shorter,
                    number,
                    large,
                    real,
                    exact,
                    maybe,
                    some,
                    perhaps,
                    text,
                    bytes == null ? null : ByteBuffer.wrap(bytes),
                    time,
                    day);
        }
    }

    @TempDir
    private Path folder;

    private static List<All> rows(long seed) {
        Random random = new Random(seed);
        int size = new int[] {1, 7, 8, 9, 64, 513, 2_000}[random.nextInt(7)];
        int missing = new int[] {0, 0, 2, 10}[random.nextInt(4)]; // one of so many; none for 0
        return IntStream.range(0, size).mapToObj(i -> row(random, missing)).toList();
    }

    private static All row(Random random, int missing) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return new All(
                random.nextBoolean(),
                (byte) random.nextInt(),
                (short) random.nextInt(),
                random.nextInt(),
                random.nextLong(),
                Float.intBitsToFloat(random.nextInt() & 0x7f7fffff),
                random.nextGaussian(),
                none(random, missing) ? null : random.nextBoolean(),
                none(random, missing) ? null : random.nextInt(),
                none(random, missing) ? null : random.nextGaussian(),
                none(random, missing) ? null : "é€😀x".repeat(random.nextInt(5)),
                none(random, missing) ? null : bytes,
                none(random, missing) ? null : Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000_000)),
                none(random, missing) ? null : LocalDate.ofEpochDay(random.nextInt(400_000) - 200_000));
    }

    private static boolean none(Random random, int missing) {
        return missing > 0 && random.nextInt(missing) == 0;
    }

    private static byte[] message(Columns columns, List<All> rows) throws IOException {
        columns.clear();
        for (All row : rows) {
            columns.keep(columns.put(row));
        }
        Columns.Message message = columns.message();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        message.writeTo(out);
        assertThat(out.size()).isEqualTo((int) message.length());
        return out.toByteArray();
    }

    private static List<List<@Nullable Object>> values(Columns.Received received) {
        List<List<@Nullable Object>> all = new ArrayList<>();
        for (int i = 0; i < received.rows(); i++) {
            @Nullable Object[] row = received.row(i);
            row[11] = row[11] == null ? null : ByteBuffer.wrap((byte[]) row[11]);
            all.add(Arrays.asList(row));
        }
        return all;
    }

    @Test
    void shouldReadWhatItHasWritten() throws IOException {
        Columns columns = Columns.ofRows(Type.of(All.class)); // one for all, as a process has
        Columns results = Columns.ofResults(Type.of(All.class));
        for (long seed = 0; seed < SEEDS; seed++) {
            List<All> rows = rows(seed);
            assertThat(values(results.read(message(columns, rows), 0)))
                    .as("seed %d", seed)
                    .isEqualTo(rows.stream().map(All::values).toList());
        }
    }

    @Test
    void shouldReadFieldsOfNulls() throws IOException {
        List<Class<?>> types = List.of(Long.class, Void.class, String.class);
        Columns columns = Columns.ofFields(List.of("a", "none", "text"), types);
        @Nullable Object[][] rows = {{1L, null, null}, {null, null, "b"}, {3L, null, ""}};
        columns.clear();
        for (@Nullable Object[] row : rows) {
            columns.keep(columns.putValues(row));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        columns.message().writeTo(out);
        Columns.Received received = columns.read(out.toByteArray(), 0);
        assertThat(received.rows()).isEqualTo(rows.length);
        for (int i = 0; i < rows.length; i++) {
            assertThat(received.row(i)).containsExactly(rows[i]);
        }
    }

    /** A row that was put and not kept is not there, whatever it has left behind. */
    @Test
    void shouldForgetARowThatIsNotKept() throws IOException {
        Columns columns = Columns.ofRows(Type.of(All.class));
        Random random = new Random(5);
        columns.clear();
        List<All> kept = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            All row = row(random, 3);
            long bytes = columns.put(row);
            if (random.nextBoolean()) {
                columns.keep(bytes);
                kept.add(row);
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        columns.message().writeTo(out);
        assertThat(values(columns.read(out.toByteArray(), 0)))
                .isEqualTo(kept.stream().map(All::values).toList());
    }

    /** The body byte for byte; metadata may be laid out in other ways, so pyarrow reads ours, and we read its. */
    @Test
    void shouldAgreeWithPyarrow() throws Exception {
        Path python = Packages.interpreter(Packages.virtualenv());
        Columns columns = Columns.ofRows(Type.of(All.class));
        Files.write(folder.resolve("schema"), columns.schema());
        for (long seed = 0; seed < SEEDS; seed++) {
            Files.write(folder.resolve("ours" + seed), message(columns, rows(seed)));
        }
        Files.writeString(folder.resolve("check.py"), """
                import sys
                import pyarrow as pa

                read = lambda name: pa.py_buffer(open(name, "rb").read())
                schema = pa.ipc.read_schema(read("schema"))
                print(schema.to_string())
                for seed in range(int(sys.argv[1])):
                    batch = pa.ipc.read_record_batch(read("ours%d" % seed), schema)
                    batch.validate(full=True)
                    open("theirs%d" % seed, "wb").write(batch.serialize())
                """);
        Process process = new ProcessBuilder(python.toString(), "check.py", Integer.toString(SEEDS))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.lines())
                .containsExactly(
                        "truth: bool not null",
                        "small: int8 not null",
                        "shorter: int16 not null",
                        "number: int32 not null",
                        "large: int64 not null",
                        "real: float not null",
                        "exact: double not null",
                        "maybe: bool",
                        "some: int32",
                        "perhaps: double",
                        "text: string",
                        "bytes: binary",
                        "time: timestamp[ns, tz=UTC]",
                        "day: date32[day]");
        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] ours = Files.readAllBytes(folder.resolve("ours" + seed));
            byte[] theirs = Files.readAllBytes(folder.resolve("theirs" + seed));
            assertThat(body(ours)).as("seed %d", seed).isEqualTo(body(theirs));
            assertThat(values(columns.read(theirs, 0)))
                    .as("seed %d", seed)
                    .isEqualTo(rows(seed).stream().map(All::values).toList());
        }
    }

    private static byte[] body(byte[] message) {
        int metadata = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        return Arrays.copyOfRange(message, 8 + metadata, message.length);
    }

    /** It is refused, or read as other values: never anything else. */
    @Test
    void shouldRefuseOrReadWhatIsDamaged() throws IOException {
        Columns columns = Columns.ofRows(Type.of(All.class));
        byte[] whole = message(columns, rows(3).subList(0, 64));
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(2) == 0 ? random.nextInt(600) : random.nextInt(whole.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            refused += refused(columns, damaged) ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(2_000);
        for (int length = 0; length < whole.length; length += length < 1_000 ? 1 : 97) {
            assertThat(refused(columns, Arrays.copyOf(whole, length)))
                    .as("%d bytes", length)
                    .isTrue();
        }
    }

    private static boolean refused(Columns columns, byte[] message) {
        try {
            Columns.Received received = columns.read(message, 0);
            for (int i = 0; i < received.rows(); i++) {
                received.row(i);
            }
            return false;
        } catch (ConnectorException e) {
            assertThat(e).hasMessageStartingWith("what came from Python is no record batch");
            return true;
        } catch (MalformedTextException e) {
            assertThat(e).hasMessageEndingWith(" of the text is invalid UTF-8");
            return true;
        }
    }

    @Test
    void shouldSayWhatCannotBeAColumn() {
        record Tags(long id, List<String> tags) {}

        record Generic<T>(T it) {}

        assertThatThrownBy(() -> Columns.ofRows(Type.of(Tags.class)))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("Tags.tags: a List cannot be a column of Arrow");
        assertThatThrownBy(() -> Columns.ofRows(Type.of(Generic.class, Type.of(String.class))))
                .hasMessageContaining(".it: a Object cannot be a column of Arrow");
    }

    @Test
    void shouldSayThatATimeIsTooFarAway() {
        Columns columns = Columns.ofRows(Type.of(Instant.class));
        assertThatThrownBy(() -> columns.put(Instant.parse("2300-01-01T00:00:00Z")))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("the time 2300-01-01T00:00:00Z is outside of what Arrow's nanoseconds hold");
        Columns days = Columns.ofRows(Type.of(LocalDate.class));
        assertThatThrownBy(() -> days.put(LocalDate.MAX)).hasMessageContaining("is too far away for Arrow's days");
    }
}
