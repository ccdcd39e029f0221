// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.SplitReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares with a {@link LineReader}, which takes bgzip for any gzip, what comes of members that are inflated in any order. */
final class BgzfAheadTest {
    private static final long SEED = Long.getLong("thalweg.seed", new Random().nextLong());
    private static final int FILES = 20;
    private static final int MOST = 1 << 20;
    private static final ChunkReaderTest.Kind TEXT = ChunkReaderTest.kinds().get(0);
    private static final ChunkReaderTest.Kind CSV = ChunkReaderTest.kinds().get(3);
    /** Where the length stands in a member without fields of others. */
    private static final int LENGTH_AT = 16;

    @TempDir
    Path directory;

    private static class Context extends ChunkReaderTest.Context {
        final List<String> warnings = new ArrayList<>();

        Context(int threads, Random random) {
            super(threads, random);
        }

        @Override
        public void warn(String message) {
            warnings.add(message);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private Path write(byte[] packed) throws IOException {
        return Files.write(directory.resolve("in.gz"), packed);
    }

    /** @param chunk 0 to read it alone */
    private static List<ChunkReaderTest.Step> read(ChunkReaderTest.Kind kind, Path file, int chunk, Context context)
            throws Exception {
        try (LineInput lines = ChunkReaderTest.lines(file, MOST)) {
            return ChunkReaderTest.read(kind.format().open(lines, context, chunk), context, Integer.MAX_VALUE);
        }
    }

    private static void same(
            ChunkReaderTest.Kind kind,
            Path file,
            List<ChunkReaderTest.Step> expected,
            int[] chunks,
            Random random,
            String as)
            throws Exception {
        for (int chunk : chunks) {
            Context context = new Context(1 + random.nextInt(4), random);
            ChunkReaderTest.assertSame(read(kind, file, chunk, context), expected, as + ", chunks of " + chunk);
        }
    }

    @Test
    void shouldGiveWhatThePlainFileGives() throws Exception {
        for (int number = 0; number < FILES; number++) {
            for (ChunkReaderTest.Kind kind : ChunkReaderTest.kinds()) {
                Random random = new Random(SEED + number);
                byte[] text = bytes(kind.text().apply(random));
                String as = kind.name() + ", file " + number + ", -Dthalweg.seed=" + SEED;
                Path plain = Files.write(directory.resolve("in"), text);
                List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(kind, plain, MOST);
                Path file = write(Bgzf.file(text, 1 + random.nextInt(number % 2 == 0 ? 20 : 400), random));
                same(kind, file, expected, new int[] {0}, random, as);
                same(kind, file, expected, ChunkReaderTest.CHUNKS, random, as);
            }
        }
    }

    /** In blocks as large as those of jobs, of members as large as can be. */
    @Test
    void shouldGiveWhatThePlainFileGives_ofManyBlocks() throws Exception {
        Random random = new Random(SEED);
        StringBuilder rows = new StringBuilder("a,b\n");
        while (rows.length() < 1_000_000) {
            rows.append(random.nextInt(5) == 0 ? "\"a\n\"\"b\"" : "text " + random.nextInt(1_000))
                    .append(random.nextInt(500) == 0 ? ",1,2\n" : ",2\n");
        }
        byte[] text = bytes(rows.toString());
        Path plain = Files.write(directory.resolve("in"), text);
        List<byte[]> members = new ArrayList<>();
        for (int at = 0; at < text.length; at += BgzfMember.MOST_BYTES) {
            members.add(Bgzf.member(Arrays.copyOfRange(text, at, Math.min(text.length, at + BgzfMember.MOST_BYTES))));
        }
        members.add(Bgzf.END);
        List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(CSV, plain, MOST);
        String as = "-Dthalweg.seed=" + SEED;
        for (byte[] packed : List.of(Bgzf.joined(members), Bgzf.file(text, 60_000, random))) {
            same(CSV, write(packed), expected, new int[] {1_000, 128 * 1024}, random, as);
        }
    }

    private static byte[] small(Random random) {
        return Bgzf.joined(List.of(
                Bgzf.member(bytes("one\ntwo\nthr")),
                Bgzf.member(new byte[0]),
                Bgzf.member(bytes("ee\n" + random.nextInt(1_000) + "\n")),
                Bgzf.member(bytes("five\nsix")),
                Bgzf.END));
    }

    /** A failure that comes after the same records, in the same words, and names the same byte. */
    @Test
    void shouldFailAsOneReaderDoes_whereTheFileIsTruncated() throws Exception {
        Random random = new Random(SEED);
        byte[] whole = small(random);
        int failed = 0;
        for (int length = 3; length < whole.length; length++) {
            Path file = write(Arrays.copyOf(whole, length));
            List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(TEXT, file, MOST);
            failed += fails(expected) ? 1 : 0;
            same(TEXT, file, expected, new int[] {1, 20, 70_000}, random, length + " bytes, -Dthalweg.seed=" + SEED);
        }
        assertThat(failed).isEqualTo(whole.length - 3 - 4); // all but those that end with a member
    }

    private static boolean fails(List<ChunkReaderTest.Step> steps) {
        return steps.get(steps.size() - 1).what().startsWith("failed: ");
    }

    @Test
    void shouldFailAsOneReaderDoes_whereABitIsFlipped() throws Exception {
        Random random = new Random(SEED);
        byte[] whole = small(random);
        int failed = 0;
        for (int bit = 2 * Byte.SIZE; bit < whole.length * Byte.SIZE; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
            Path file = write(flipped);
            List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(TEXT, file, MOST);
            failed += fails(expected) ? 1 : 0;
            same(TEXT, file, expected, new int[] {2, 70_000}, random, "bit " + bit + ", -Dthalweg.seed=" + SEED);
        }
        assertThat(failed).isGreaterThan(whole.length * Byte.SIZE / 2);
    }

    private static byte[] patched(byte[] member, int at, int... bytes) {
        byte[] patched = member.clone();
        for (int i = 0; i < bytes.length; i++) {
            patched[at + i] = (byte) bytes[i];
        }
        return patched;
    }

    /** Each is gzip that can be read, or not, as one reader says. */
    @Test
    void shouldGiveWhatOneReaderGives_ofWhatIsNotAsBgzfHasIt() throws Exception {
        Random random = new Random(SEED);
        byte[] one = Bgzf.member(bytes("one\n"));
        byte[] two = Bgzf.member(bytes("two\n"));
        byte[] large = bytes("0123456789\n".repeat(20_000));
        Map<String, List<byte[]>> right = new LinkedHashMap<>();
        right.put("gzip behind it", List.of(one, two, gzip(bytes("three\n"))));
        right.put("gzip within it", List.of(one, gzip(bytes("three\n")), two, Bgzf.END));
        right.put("zeros within it", List.of(one, new byte[20], two, Bgzf.END));
        right.put("zeros behind it", List.of(one, two, Bgzf.END, new byte[20]));
        right.put("zeros before it, behind gzip", List.of(gzip(bytes("zero\n")), new byte[3], one, two));
        right.put("other fields", List.of(one, Bgzf.member(bytes("x\n"), new byte[] {'B', 'D', 1, 0, 7}), two));
        right.put("other fields of its size", List.of(one, Bgzf.member(bytes("x\n"), new byte[] {'X', 'C', 2, 0, 9, 0
        })));
        right.put("a field that is cut", List.of(one, Bgzf.member(bytes("x\n"), new byte[] {'X', 'C', 9, 0}), two));
        right.put("two lengths, the first wrong", List.of(one, Bgzf.member(bytes("x\n"), new byte[] {
            'B', 'C', 2, 0, 3, 0
        })));
        right.put("no length", List.of(one, patched(two, 12, 'X'), two));
        right.put("a length of a byte", List.of(one, patched(two, LENGTH_AT, 0, 0), two));
        right.put("a length that is too small", List.of(one, patched(two, LENGTH_AT, two.length - 2), two));
        right.put("a length that is too large", List.of(one, patched(two, LENGTH_AT, two.length), two));
        right.put("a length of two members", List.of(one, patched(two, LENGTH_AT, 2 * two.length - 1), two));
        right.put("a length beyond the file", List.of(one, patched(two, LENGTH_AT, 0xff, 0xff), two));
        right.put("more than a member may hold", List.of(one, Bgzf.member(large), two, Bgzf.END));
        right.put("one that is more than a member may hold", List.of(Bgzf.member(large)));
        for (Map.Entry<String, List<byte[]>> each : right.entrySet()) {
            Path file = write(Bgzf.joined(each.getValue()));
            List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(TEXT, file, MOST);
            assertThat(fails(expected)).as(each.getKey()).isFalse();
            same(TEXT, file, expected, ChunkReaderTest.CHUNKS, random, each.getKey());
        }
        Map<String, List<byte[]>> wrong = new LinkedHashMap<>();
        int size = two.length - 4;
        wrong.put("fewer bytes than it says", List.of(one, patched(two, size, 5), two));
        wrong.put("more bytes than it says", List.of(one, patched(two, size, 3), two));
        wrong.put("more than may be", List.of(one, patched(two, size, 1, 0, 1), two));
        wrong.put("far more than may be", List.of(one, patched(two, size, 0xff, 0xff, 0xff, 0xff), two));
        wrong.put("fields beyond the file", List.of(one, patched(two, 10, 0xff, 0xff), two));
        wrong.put("other data behind it", List.of(one, two, Bgzf.END, bytes("x")));
        wrong.put("another method", List.of(one, patched(two, 2, 7), two));
        for (Map.Entry<String, List<byte[]>> each : wrong.entrySet()) {
            Path file = write(Bgzf.joined(each.getValue()));
            List<ChunkReaderTest.Step> expected = ChunkReaderTest.alone(TEXT, file, MOST);
            assertThat(fails(expected)).as(each.getKey()).isTrue();
            same(TEXT, file, expected, ChunkReaderTest.CHUNKS, random, each.getKey());
        }
    }

    /** From behind each record, in a file whose members end anywhere. */
    @Test
    void shouldGoOnFromEachPosition() throws Exception {
        for (int number = 0; number < 6; number++) {
            Random random = new Random(SEED + number);
            byte[] text = bytes("a,b\n" + RandomLines.csv(random) + RandomLines.quoted(random));
            byte[] packed = Bgzf.file(text, 1 + random.nextInt(60), random);
            Path file = write(
                    switch (number % 3) {
                        case 0 -> packed;
                        case 1 -> Bgzf.joined(List.of(packed, gzip(bytes("c,d\n".repeat(9)))));
                        default -> patched(Bgzf.member(text), LENGTH_AT, 0, 0); // one whose length is wrong
                    });
            List<ChunkReaderTest.Step> all = ChunkReaderTest.alone(CSV, file, MOST);
            for (int upTo = 0; upTo <= all.size(); upTo++) {
                String as = "file " + number + ", " + upTo + " records, -Dthalweg.seed=" + SEED;
                int chunk = ChunkReaderTest.CHUNKS[random.nextInt(ChunkReaderTest.CHUNKS.length)];
                Context first = new Context(2, random);
                Context second = new Context(2, random);
                try (LineInput lines = ChunkReaderTest.lines(file, MOST);
                        LineInput again = ChunkReaderTest.lines(file, MOST)) {
                    SplitReader<Object> reader = CSV.format().open(lines, first, chunk);
                    List<ChunkReaderTest.Step> steps = ChunkReaderTest.read(reader, first, upTo);
                    SplitReader<Object> next = CSV.format().open(again, second, 7);
                    assertThat(next.changed(reader.fingerprint())).as(as).isNull();
                    next.seek(reader.position());
                    if (!reader.finished()) {
                        steps.addAll(ChunkReaderTest.read(next, second, Integer.MAX_VALUE));
                    }
                    ChunkReaderTest.assertSame(steps, all, as);
                }
            }
        }
    }

    @Test
    void shouldInflateSeveralMembersAtOnce_andNoMoreThanItSaid() throws Exception {
        byte[] text = bytes("0123456789\n".repeat(1_000));
        List<byte[]> members = new ArrayList<>();
        for (int at = 0; at < text.length; at += 100) {
            members.add(Bgzf.member(Arrays.copyOfRange(text, at, at + 100)));
        }
        Path file = write(Bgzf.joined(members));
        for (long from : new long[] {0, 11 * 500}) { // a restored job does so, too
            Context context = new Context(3, new Random(SEED));
            try (LineInput lines = ChunkReaderTest.lines(file, MOST)) {
                SplitReader<Object> reader = TEXT.format().open(lines, context, 100);
                reader.seek(from);
                assertThat(reader.poll()).isNull();
                assertThat(context.pieces).hasSize(6); // each has two members
                Runnable last = context.pieces.remove(5);
                last.run(); // the first is not there
                assertThat(reader.poll()).isNull();
                assertThat(context.pieces).hasSize(5);
                while (!context.pieces.isEmpty()) {
                    context.pieces.remove(0).run();
                }
                assertThat(reader.poll()).isNull();
                assertThat(context.pieces).hasSizeBetween(7, 6 + 12); // blocks, and chunks
            }
            while (context.doOne()) {
                // after it was closed nothing happens
            }
        }
    }

    @Test
    void shouldReadWithThreadsThatTakeTurnsAsTheyLike() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        try {
            for (int number = 0; number < 20; number++) {
                Random random = new Random(SEED + number);
                byte[] text = bytes("a,b\n" + RandomLines.csv(random).repeat(50) + RandomLines.quoted(random));
                byte[] packed = Bgzf.file(text, 300, random);
                if (number % 4 == 0) {
                    packed[packed.length / 2] ^= 1;
                }
                Path file = write(packed);
                Context context = new Context(3, random) {
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
                ChunkReaderTest.assertSame(
                        read(CSV, file, 50, context),
                        ChunkReaderTest.alone(CSV, file, MOST),
                        "file " + number + ", -Dthalweg.seed=" + SEED);
            }
        } finally {
            pool.shutdown();
        }
        assertThat(pool.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void shouldWarn_ifTheEmptyBlockIsMissing() throws Exception {
        byte[] one = Bgzf.member(bytes("one\n"));
        byte[] plain = gzip(bytes("plain\n"));
        Map<String, byte[]> whole = new LinkedHashMap<>();
        whole.put("with the block", Bgzf.joined(List.of(one, one, Bgzf.END)));
        whole.put("with zeros behind", Bgzf.joined(List.of(one, Bgzf.END, new byte[9])));
        whole.put("gzip behind", Bgzf.joined(List.of(one, plain)));
        whole.put("gzip", plain);
        Map<String, byte[]> cut = new LinkedHashMap<>();
        cut.put("without it", Bgzf.joined(List.of(one, one, one)));
        cut.put("it is not the last", Bgzf.joined(List.of(one, Bgzf.END, one)));
        cut.put("behind gzip", Bgzf.joined(List.of(plain, one)));
        cut.put("zeros behind", Bgzf.joined(List.of(one, new byte[9])));
        for (int chunk : new int[] {0, 1, 20, 70_000}) {
            for (Map.Entry<String, byte[]> each : whole.entrySet()) {
                Context context = new Context(2, new Random(SEED));
                read(TEXT, write(each.getValue()), chunk, context);
                assertThat(context.warnings).as(each.getKey() + ", " + chunk).isEmpty();
            }
            for (Map.Entry<String, byte[]> each : cut.entrySet()) {
                Context context = new Context(2, new Random(SEED));
                Path file = write(each.getValue());
                read(TEXT, file, chunk, context);
                assertThat(context.warnings)
                        .as(each.getKey() + ", " + chunk)
                        .containsExactly(
                                file + " lacks the empty block at its end that bgzip writes: it may have been cut"
                                        + " off between two blocks; compare it with its original, or write it again");
            }
        }
    }
}
