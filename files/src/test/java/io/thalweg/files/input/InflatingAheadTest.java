// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.SplitReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares with a {@link LineReader}, which inflates by itself, what comes of gzip that is inflated in pieces. */
final class InflatingAheadTest {
    private static final long SEED = Long.getLong("thalweg.seed", new Random().nextLong());
    private static final int FILES = 30;

    @TempDir
    Path directory;

    private Path write(byte[] packed) throws IOException {
        return Files.write(directory.resolve("in.gz"), packed);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    /** In one member or several, empty ones and zeros behind among them. */
    private static byte[] packed(Random random, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        int at = 0;
        for (int member = random.nextInt(4); member > 0; member--) {
            int to = at + random.nextInt(bytes.length - at + 1);
            packed.writeBytes(gzip(Arrays.copyOfRange(bytes, at, to)));
            at = to;
        }
        packed.writeBytes(gzip(Arrays.copyOfRange(bytes, at, bytes.length)));
        packed.writeBytes(new byte[random.nextInt(3) == 0 ? 20 : 0]);
        return packed.toByteArray();
    }

    private static void same(ChunkReaderTest.Kind kind, Path file, Random random, String as) throws Exception {
        List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(kind, file, 1 << 20);
        for (int chunk : ChunkReaderTest.CHUNKS) {
            ChunkReaderTest.Context context = new ChunkReaderTest.Context(1 + random.nextInt(4), random);
            try (LineInput lines = ChunkReaderTest.lines(file, 1 << 20)) {
                SplitReader<Object> reader = kind.format().open(lines, context, chunk);
                ChunkReaderTest.assertSame(
                        ChunkReaderTest.read(reader, context, Integer.MAX_VALUE),
                        expected,
                        as + ", chunks of " + chunk);
            }
        }
    }

    @Test
    void shouldGiveWhatOneReaderGives() throws Exception {
        for (int number = 0; number < FILES; number++) {
            for (ChunkReaderTest.Kind kind : ChunkReaderTest.kinds()) {
                Random random = new Random(SEED + number);
                Path file = write(packed(random, kind.text().apply(random)));
                same(kind, file, random, kind.name() + ", file " + number + ", -Dthalweg.seed=" + SEED);
            }
        }
    }

    @Test
    void shouldFailAfterTheSameRecords_whereTheFileIsDamaged() throws Exception {
        ChunkReaderTest.Kind kind = ChunkReaderTest.kinds().get(0);
        int failed = 0;
        for (int number = 0; number < 10 * FILES; number++) {
            Random random = new Random(SEED + number);
            byte[] bytes = packed(random, RandomLines.text(random).repeat(1 + random.nextInt(3)));
            switch (number % 3) {
                case 0 -> bytes = Arrays.copyOf(bytes, 2 + random.nextInt(bytes.length - 2));
                case 1 -> bytes[2 + random.nextInt(bytes.length - 2)] ^= (byte) (1 << random.nextInt(8));
                default -> {
                    bytes = Arrays.copyOf(bytes, bytes.length + 3);
                    bytes[bytes.length - 1] = 'x';
                }
            }
            Path file = write(bytes);
            same(kind, file, random, "damaged file " + number + ", -Dthalweg.seed=" + SEED);
            List<ChunkReaderTest.Step> steps = ChunkReaderTest.alone(kind, file, 1 << 20);
            failed += steps.get(steps.size() - 1).what().startsWith("failed: ") ? 1 : 0;
        }
        assertThat(failed).isGreaterThan(5 * FILES);
    }

    @Test
    void shouldGoOnFromTheMiddle() throws Exception {
        for (int number = 0; number < FILES; number++) {
            Random random = new Random(SEED + number);
            ChunkReaderTest.Kind kind = ChunkReaderTest.kinds().get(3);
            Path file = write(packed(random, "a,b\n" + RandomLines.csv(random)));
            String as = "file " + number + ", -Dthalweg.seed=" + SEED;
            List<ChunkReaderTest.Step> all = ChunkReaderTest.alone(kind, file, 1 << 20);
            int upTo = random.nextInt(all.size());
            ChunkReaderTest.Context first = new ChunkReaderTest.Context(2, random);
            ChunkReaderTest.Context second = new ChunkReaderTest.Context(2, random);
            try (LineInput lines = ChunkReaderTest.lines(file, 1 << 20);
                    LineInput again = ChunkReaderTest.lines(file, 1 << 20)) {
                SplitReader<Object> reader = kind.format().open(lines, first, 7);
                List<ChunkReaderTest.Step> steps = ChunkReaderTest.read(reader, first, upTo);
                SplitReader<Object> next = kind.format().open(again, second, 20);
                assertThat(next.changed(reader.fingerprint())).as(as).isNull();
                next.seek(reader.position());
                if (!reader.finished()) {
                    steps.addAll(ChunkReaderTest.read(next, second, Integer.MAX_VALUE));
                }
                ChunkReaderTest.assertSame(steps, all, as);
            }
        }
    }

    @Test
    void shouldInflateNoFurtherThanTheNextBlock() throws Exception {
        Path file = write(gzip("0123456789\n".repeat(100_000).getBytes(StandardCharsets.UTF_8)));
        ChunkReaderTest.Context context = new ChunkReaderTest.Context(2, new Random(SEED));
        Counting packed = new Counting(Files.readAllBytes(file));
        InflatingAhead ahead = new InflatingAhead(new GzipInput(packed), context, 100);
        assertThat(ahead.has(1)).isFalse();
        while (context.doOne()) {
            assertThat(context.pieces).isEmpty();
        }
        assertThat(ahead.has(100)).isTrue();
        assertThat(ahead.readNBytes(101)).hasSize(101);
        assertThat(context.pieces).hasSize(2); // of the second block, which was inflated here, and of the third
        assertThat(ahead.has(99)).isTrue();
        assertThat(ahead.has(100)).isFalse();
        ahead.close();
        assertThat(packed.closed).isTrue();
        int before = packed.reads;
        while (context.doOne()) {
            // nothing happens
        }
        assertThat(packed.reads).isEqualTo(before);
    }

    private static final class Counting extends ByteArrayInputStream {
        int reads;
        boolean closed;

        Counting(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized int read(byte[] into, int from, int length) {
            reads++;
            return super.read(into, from, Math.min(length, 7));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** The file must not be closed beneath it. */
    @Test
    void shouldWaitForAThreadThatInflates_whenItIsClosed() throws Exception {
        byte[] bytes = gzip("0123456789\n".repeat(1_000).getBytes(StandardCharsets.UTF_8));
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        InputStream slow = new ByteArrayInputStream(bytes) {
            @Override
            public synchronized int read(byte[] into, int from, int length) {
                reads.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return super.read(into, from, length);
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
        ChunkReaderTest.Context context = new ChunkReaderTest.Context(2, new Random(SEED));
        InflatingAhead ahead = new InflatingAhead(new GzipInput(slow), context, 100);
        Thread inflating = new Thread(context.pieces.remove(0));
        inflating.start();
        reads.await();
        Thread closing = new Thread(() -> {
            try {
                ahead.close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        closing.start();
        while (closing.getState() != Thread.State.BLOCKED && closed.getCount() > 0) {
            Thread.onSpinWait();
        }
        assertThat(closed.getCount()).isEqualTo(1);
        goesOn.countDown();
        inflating.join();
        closing.join();
        assertThat(closed.getCount()).isZero();
    }

    @Test
    void shouldThrowWhatCannotBeFollowed() {
        ChunkReaderTest.Context context = new ChunkReaderTest.Context(2, new Random(SEED));
        InflatingAhead ahead = new InflatingAhead(
                new GzipInput(new ByteArrayInputStream(new byte[0]) {
                    @Override
                    public synchronized int read(byte[] into, int from, int length) {
                        throw new IllegalStateException("no disk");
                    }
                }),
                context,
                100);
        context.doOne();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ahead.readNBytes(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no disk");
        }
    }
}
