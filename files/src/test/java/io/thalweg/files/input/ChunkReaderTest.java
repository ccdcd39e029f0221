// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.files.csv.CsvLayout;
import io.thalweg.files.csv.CsvParser;
import io.thalweg.files.json.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares with a {@link LineReader} what comes of chunks that are decoded in whatever order. */
class ChunkReaderTest {
    private static final long SEED = Long.getLong("thalweg.seed", new Random().nextLong());
    private static final int FILES = 60;
    static final int[] CHUNKS = {1, 2, 3, 7, 20, 100, 1_000, 70_000};

    record Row(@Nullable String a, @Nullable String b) {}

    record Thing(int n, @Nullable String s) {
        Thing {
            if (n == 7) {
                throw new IllegalStateException("no sevens");
            }
        }
    }

    /** What a reader said after one poll or before it. */
    record Step(String what, long offset, long line, long position) {}

    @TempDir
    Path directory;

    /** Opens what reads a file: null to read it alone, in order. */
    record Kind(String name, Function<Random, String> text, Format format) {}

    interface Format {
        SplitReader<Object> open(LineInput lines, SourceContext context, int chunkBytes);
    }

    static final Format TEXT = (lines, context, chunk) ->
            reader(lines, ChunkReaderTest::line, () -> ChunkReaderTest::line, context, chunk);
    private static final Format JSON = (lines, context, chunk) -> {
        Supplier<LineParser<Object>> parsers = () -> {
            JsonReader<Thing> json = JsonReader.of(Thing.class, 64);
            return in -> in.from() == in.to() ? null : json.read(in.bytes(), in.from(), in.to());
        };
        return reader(lines, parsers.get(), parsers, context, chunk);
    };
    /** The user's code throws. */
    private static final Format THROWING = (lines, context, chunk) -> {
        LineParser<Object> parser = in -> {
            Object text = line(in);
            switch (text.hashCode() & 15) {
                case 0 -> throw new IllegalStateException("at " + text);
                case 1 -> throw new BadRecordException("bad " + text, in.copy());
                case 2 -> throw new StackOverflowError("deep " + text);
                default -> {
                    return text;
                }
            }
        };
        return reader(lines, parser, () -> parser, context, chunk);
    };

    private static Format csv(CsvLayout layout) {
        return (lines, context, chunk) -> {
            CsvParser<Row> parser = CsvParser.open(lines, Row.class, layout);
            Supplier<LineParser<Row>> others = parser::another;
            return reader(lines, parser, others, context, chunk);
        };
    }

    @SuppressWarnings("unchecked")
    private static <T> SplitReader<Object> reader(
            LineInput lines, LineParser<T> parser, Supplier<LineParser<T>> parsers, SourceContext context, int chunk) {
        return (SplitReader<Object>)
                (chunk == 0
                        ? new LineReader<>(lines, parser, context)
                        : new ChunkReader<>(lines, parser, parsers, context, chunk));
    }

    private static Object line(LineInput in) {
        return new String(in.bytes(), in.from(), in.to() - in.from(), StandardCharsets.UTF_8);
    }

    /** Pieces wait here until somebody has one done, whichever it is. */
    static class Context implements SourceContext {
        final List<BadRecord> bad = new ArrayList<>();
        final List<Runnable> pieces = new ArrayList<>();
        private final int threads;
        private final Random random;

        Context(int threads, Random random) {
            this.threads = threads;
            this.random = random;
        }

        @Override
        public void bad(BadRecord record) {
            bad.add(record);
        }

        @Override
        public long nowNs() {
            return 0;
        }

        @Override
        public int decodingThreads() {
            return threads;
        }

        @Override
        public void decode(Runnable piece) {
            pieces.add(piece);
        }

        boolean doOne() {
            if (pieces.isEmpty()) {
                return false;
            }
            pieces.remove(random.nextInt(pieces.size())).run();
            return true;
        }
    }

    static List<Step> read(SplitReader<Object> reader, Context context, int most) throws Exception {
        List<Step> steps = new ArrayList<>();
        int idle = 0;
        int records = 0;
        while (records < most) {
            int badBefore = context.bad.size();
            Object value = null;
            Throwable thrown = null;
            try {
                value = reader.poll();
            } catch (Exception | Error e) {
                thrown = e;
            }
            for (BadRecord each : context.bad.subList(badBefore, context.bad.size())) {
                steps.add(new Step(
                        "bad " + each.reason() + Arrays.hashCode(each.bytes()), each.offset(), each.line(), 0));
            }
            if (thrown instanceof ConnectorException) {
                steps.add(new Step("failed: " + thrown.getMessage(), 0, 0, 0));
                return steps;
            }
            if (value != null || thrown != null) {
                steps.add(new Step(
                        thrown == null ? String.valueOf(value) : "thrown " + thrown,
                        reader.recordOffset(),
                        reader.line(),
                        reader.position()));
                records++;
                idle = 0;
            } else if (reader.finished()) {
                steps.add(new Step("end", 0, 0, reader.position()));
                return steps;
            }
            boolean lazy = value != null && context.random.nextInt(4) > 0;
            boolean progress = context.bad.size() > badBefore || (!lazy && context.doOne());
            idle = progress ? 0 : idle + 1;
            assertThat(idle).as("polls in a row that brought nothing").isLessThan(2_000);
        }
        return steps;
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("in"), text);
    }

    static LineInput lines(Path file, int most) {
        return LineInput.open(file.toString(), most, true);
    }

    static List<Kind> kinds() {
        CsvLayout plain = CsvLayout.DEFAULT;
        return List.of(
                new Kind("text", RandomLines::text, TEXT),
                new Kind("throwing", RandomLines::text, THROWING),
                new Kind("json", RandomLines::json, JSON),
                new Kind("csv", random -> "a,b\n" + RandomLines.csv(random), csv(plain)),
                new Kind("csv with quoted breaks", RandomLines::quoted, csv(plain)),
                new Kind(
                        "csv with comments",
                        random -> "title\n#x\nb,a\r\n" + RandomLines.csv(random),
                        csv(plain.withComments('#').skipping(1))),
                new Kind("csv without header", RandomLines::csv, csv(plain.withoutHeader())));
    }

    @Test
    void shouldGiveWhatOneReaderGives() throws Exception {
        for (int number = 0; number < FILES; number++) {
            for (Kind kind : kinds()) {
                Random random = new Random(SEED + number);
                Path file = file((random.nextInt(4) == 0 ? "\ufeff" : "") + kind.text.apply(random));
                int most = random.nextInt(3) == 0 ? 5 + random.nextInt(40) : 1 << 20;
                String as = kind.name + ", file " + number + ", -Dthalweg.seed=" + SEED;
                List<Step> expected = alone(kind, file, most);
                for (int chunk : CHUNKS) {
                    Context context = new Context(1 + random.nextInt(4), random);
                    try (LineInput lines = lines(file, most)) {
                        List<Step> got = read(kind.format.open(lines, context, chunk), context, Integer.MAX_VALUE);
                        assertSame(got, expected, as + ", chunks of " + chunk);
                    }
                }
            }
        }
    }

    static void assertSame(List<Step> got, List<Step> expected, String as) {
        int same = 0;
        while (same < Math.min(got.size(), expected.size()) && got.get(same).equals(expected.get(same))) {
            same++;
        }
        assertThat(got.stream().skip(same).limit(2).toList())
                .as(as + ", from step " + same)
                .isEqualTo(expected.stream().skip(same).limit(2).toList());
    }

    static List<Step> alone(Kind kind, Path file, int most) throws Exception {
        Context context = new Context(1, new Random(0));
        try (LineInput lines = lines(file, most)) {
            return read(kind.format.open(lines, context, 0), context, Integer.MAX_VALUE);
        }
    }

    @Test
    void shouldGoOnFromWhereAnyReaderStood() throws Exception {
        for (int number = 0; number < FILES; number++) {
            for (Kind kind : kinds()) {
                Random random = new Random(SEED + number);
                Path file = file((random.nextInt(4) == 0 ? "\ufeff" : "") + kind.text.apply(random));
                int most = 1 << 20;
                List<Step> all = alone(kind, file, most);
                int upTo = random.nextInt(
                        (int) all.stream().filter(each -> each.position > 0).count() + 1);
                int chunk = CHUNKS[random.nextInt(CHUNKS.length)];
                String as = kind.name + ", file " + number + ", chunks of " + chunk + ", -Dthalweg.seed=" + SEED;
                Context first = new Context(1 + random.nextInt(4), random);
                Context line = new Context(1, random);
                Context second = new Context(1 + random.nextInt(4), random);
                try (LineInput lines = lines(file, most);
                        LineInput expected = lines(file, most);
                        LineInput again = lines(file, most)) {
                    SplitReader<Object> reader = kind.format.open(lines, first, chunk);
                    List<Step> steps = new ArrayList<>(read(reader, first, upTo));
                    SplitReader<Object> inOrder = kind.format.open(expected, line, 0);
                    assertSame(steps, read(inOrder, line, upTo), as);
                    assertThat(reader.position()).as(as).isEqualTo(inOrder.position());
                    assertThat(reader.fingerprint()).as(as).isEqualTo(inOrder.fingerprint());
                    SplitReader<Object> next =
                            kind.format.open(again, second, CHUNKS[random.nextInt(CHUNKS.length)] * random.nextInt(2));
                    assertThat(next.changed(reader.fingerprint())).as(as).isNull();
                    next.seek(reader.position());
                    if (steps.isEmpty() || !steps.get(steps.size() - 1).what.equals("end")) {
                        steps.addAll(read(next, second, Integer.MAX_VALUE));
                    }
                    assertSame(steps, all, as);
                    assertThat(next.fingerprint().length).as(as).isPositive();
                }
            }
        }
    }

    @Test
    void shouldPassOverLinesThatFillManyChunks() throws Exception {
        String tooLong = "x".repeat(LineInput.KEPT_BYTES * 3);
        String text = "1\n" + tooLong + "\n2\n" + tooLong + "\r\n" + tooLong;
        Path file = file(text);
        for (Format format : List.of(TEXT, csv(CsvLayout.DEFAULT.withoutHeader()))) {
            Kind kind = new Kind("long", random -> text, format);
            List<Step> expected = alone(kind, file, 1_000);
            assertThat(expected).hasSizeGreaterThan(5);
            for (int chunk : new int[] {300, 1_000, 70_000, 200_000}) {
                Context context = new Context(2, new Random(SEED));
                try (LineInput lines = lines(file, 1_000)) {
                    assertThat(read(format.open(lines, context, chunk), context, Integer.MAX_VALUE))
                            .isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void shouldTellWhatTheInputThrowsOnlyAfterAllBeforeIt() throws Exception {
        byte[] text = "one\ntwo\nthree\nfo".getBytes(StandardCharsets.UTF_8);
        for (int chunk : new int[] {0, 1, 5, 1_000}) {
            Context context = new Context(2, new Random(SEED));
            LineInput lines = LineInput.at(ByteInput.of("broken", new Broken(text)), 100, 0, 0);
            assertThat(read(TEXT.open(lines, context, chunk), context, Integer.MAX_VALUE))
                    .extracting(Step::what)
                    .containsExactly(
                            "one", "two", "three", "failed: cannot read broken after byte 16: the disk is gone");
        }
        // Nothing more is needed to see that this begins with no byte order mark.
        for (int chunk : new int[] {0, 1, 5}) {
            Context context = new Context(2, new Random(SEED));
            LineInput lines = LineInput.at(ByteInput.of("broken", new Broken(new byte[] {'1', '\n'})), 100, 0, 0);
            assertThat(read(TEXT.open(lines, context, chunk), context, Integer.MAX_VALUE))
                    .extracting(Step::what)
                    .containsExactly("1", "failed: cannot read broken after byte 2: the disk is gone");
        }
    }

    private static final class Broken extends InputStream {
        private final InputStream in;

        Broken(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the disk is gone");
            }
            return next;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            into[from] = (byte) read();
            return 1;
        }
    }

    @Test
    void shouldThrowWhatADecoderCannotSurvive() throws Exception {
        Path file = file("a\nb\n");
        Context context = new Context(2, new Random(SEED));
        try (LineInput lines = lines(file, 100)) {
            Supplier<LineParser<Object>> none = () -> {
                throw new OutOfMemoryError("no parser");
            };
            SplitReader<Object> reader = reader(lines, ChunkReaderTest::line, none, context, 1);
            assertThat(reader.poll()).isNull();
            while (context.doOne()) {
                // all fail
            }
            assertThatThrownBy(reader::poll)
                    .isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("no parser");
            assertThatThrownBy(reader::poll).isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void shouldReadWithThreadsThatTakeTurnsAsTheyLike() throws Exception {
        for (int threads = 1; threads <= 4; threads++) {
            ExecutorService pool = Executors.newFixedThreadPool(threads);
            try {
                for (int number = 0; number < 20; number++) {
                    Random random = new Random(SEED + number);
                    Path file = file("a,b\n" + RandomLines.csv(random).repeat(50) + RandomLines.quoted(random));
                    Kind kind = new Kind("csv", r -> "", csv(CsvLayout.DEFAULT));
                    List<Step> expected = alone(kind, file, 1 << 20);
                    Context context = new Context(threads, random) {
                        @Override
                        public void decode(Runnable piece) {
                            pool.execute(piece);
                        }

                        @Override
                        boolean doOne() {
                            Thread.onSpinWait();
                            return true;
                        }
                    };
                    try (LineInput lines = lines(file, 1 << 20)) {
                        assertThat(read(kind.format.open(lines, context, 50), context, Integer.MAX_VALUE))
                                .as("-Dthalweg.seed=" + SEED)
                                .isEqualTo(expected);
                    }
                }
            } finally {
                pool.shutdownNow();
            }
        }
    }

    @Test
    void shouldLetPiecesRunAfterItIsClosed() throws Exception {
        Path file = file("a\nb\nc\n");
        Context context = new Context(2, new Random(SEED));
        try (LineInput lines = lines(file, 100)) {
            SplitReader<Object> reader = TEXT.open(lines, context, 1);
            assertThat(reader.poll()).isNull();
            assertThat(context.pieces).hasSize(3);
            context.doOne();
            reader.close();
        }
        while (context.doOne()) {
            // nothing happens
        }
        assertThat(context.bad).isEmpty();
    }

    @Test
    void shouldNotReadFurtherAheadThanItSaid() throws Exception {
        Path file = file("0123456789\n".repeat(1_000));
        Context context = new Context(3, new Random(SEED));
        try (LineInput lines = lines(file, 100)) {
            SplitReader<Object> reader = TEXT.open(lines, context, 10);
            for (int i = 0; i < 20; i++) {
                assertThat(reader.poll()).isNull();
            }
            assertThat(context.pieces).hasSizeBetween(3, 12);
        }
    }
}
