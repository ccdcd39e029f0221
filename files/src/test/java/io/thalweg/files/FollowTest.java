// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.RecordBatch;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.SourceContext;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads what is appended to files that are rotated, by a clock that the test controls. */
final class FollowTest implements SourceContext {
    private static final long FIRST = Long.getLong("thalweg.follow.first", 1);
    private static final long SEEDS = Long.getLong("thalweg.follow", 30);

    @TempDir
    private Path folder;

    private Path log = Path.of("");
    private long nowNs;
    private long writes;
    private boolean checkpoints = true;
    private final List<BadRecord> bad = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    @Override
    public void bad(BadRecord record) {
        bad.add(record);
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public boolean checkpoints() {
        return checkpoints;
    }

    @Override
    public void warn(String message) {
        warnings.add(message);
    }

    // ---- the writer

    private void write(Path to, String text) throws IOException {
        Files.writeString(to, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Files.setLastModifiedTime(to, FileTime.fromMillis(1_700_000_000_000L + 1_000 * writes++));
    }

    private void rotate() throws IOException {
        for (int number = 9; number > 0; number--) {
            Path from = number == 1 ? log : log.resolveSibling(log.getFileName() + "." + (number - 1));
            if (Files.exists(from)) {
                Files.move(from, log.resolveSibling(log.getFileName() + "." + number));
            }
        }
    }

    /** As logrotate does with {@code compress} and without {@code delaycompress}. */
    private Path compress(Path file) throws IOException {
        Path packed = Path.of(file + ".gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(file, out);
        }
        Files.setLastModifiedTime(packed, Files.getLastModifiedTime(file));
        Files.delete(file);
        return packed;
    }

    // ---- the reader

    /** One start of a job. */
    private final class Run implements Closeable {
        final LiveReader<String> reader;
        final String split = log.toString();

        @Nullable RecordBatch<String> last;

        Run(@Nullable SavedPosition from) throws Exception {
            reader = TextLines.follow(split).maxLineBytes(40).open(FollowTest.this);
            if (from == null) {
                reader.add(split);
            } else {
                assertThat(reader.changed(split, from.fingerprint())).isNull();
                reader.addAt(split, from.position());
            }
        }

        /** What comes within a time; all, or only the first of it. */
        List<String> read(Duration time, int most) throws Exception {
            List<String> lines = new ArrayList<>();
            long end = nowNs + time.toNanos();
            while (nowNs < end && lines.size() < most) {
                nowNs += 50_000_000;
                for (RecordBatch<String> batch : reader.fetch(Duration.ZERO)) {
                    last = batch;
                    String line = lines.size() < most ? batch.next() : null;
                    while (line != null) {
                        lines.add(line);
                        line = lines.size() < most ? batch.next() : null;
                    }
                    if (lines.size() >= most) {
                        return lines;
                    }
                }
            }
            return lines;
        }

        List<String> readAll() throws Exception {
            return read(Duration.ofSeconds(3), Integer.MAX_VALUE);
        }

        SavedPosition save() throws Exception {
            RecordBatch<String> batch = last;
            if (batch == null) {
                throw new IllegalStateException("nothing was handed over");
            }
            return new SavedPosition(batch.position(), batch.fingerprint());
        }

        @Override
        public void close() throws IOException {
            try {
                reader.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    private Run run(@Nullable SavedPosition from) throws Exception {
        return new Run(from);
    }

    @Test
    void shouldReadWhatIsAppended_onceTheLineEnds() throws Exception {
        log = folder.resolve("app.log");
        try (Run run = run(null)) {
            assertThat(run.readAll()).as("it waits for the file").isEmpty();
            write(log, "\ufeffa\nb\r\nc");
            assertThat(run.readAll()).containsExactly("a", "b");
            write(log, "d\n\n");
            assertThat(run.readAll()).containsExactly("cd", "");
        }
    }

    @Test
    void shouldRefuseUtf16() throws Exception {
        log = folder.resolve("app.log");
        Files.write(log, new byte[] {(byte) 0xff, (byte) 0xfe, 'a', 0, '\n', 0});
        try (Run run = run(null)) {
            assertThatThrownBy(run::readAll)
                    .hasMessageContaining("cannot follow " + log + ": it is in UTF-16, as its byte order mark says");
        }
    }

    @Test
    void shouldReadTheRestOfARotatedFile_thenTheNewOne() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a");
            write(log, "b\n");
            rotate();
            write(log.resolveSibling("app.log.1"), "c\n"); // the writer has not opened the new one yet
            assertThat(run.readAll()).containsExactly("b", "c");
            write(log, "d\n");
            write(log.resolveSibling("app.log.1"), "late, without an end");
            write(log.resolveSibling("app.log-errors"), "none of it\n");
            assertThat(run.readAll()).containsExactly("late, without an end", "d");
        }
    }

    @Test
    void shouldBeginAgain_whereTheFileWasTruncated() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\nb\n");
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a", "b");
            Files.writeString(log, "");
            write(log, "c\n");
            assertThat(run.readAll()).containsExactly("c");
            assertThat(warnings).singleElement().asString().contains("was truncated to 2 bytes after 4 had been read");
        }
    }

    /** By a tool that copies the file and truncates it while its writer is in the middle of a line. */
    @Test
    void shouldNotTakeForALineWhatWasCutOff() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\namount=12");
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a");
            Files.writeString(log, "");
            write(log, "34\nb\n");
            assertThat(run.readAll()).containsExactly("34", "b");
            assertThat(warnings).hasSize(1);
        }
    }

    @Test
    void shouldPassOverALineThatIsTooLong() throws Exception {
        log = folder.resolve("app.log");
        write(log, "x".repeat(100));
        try (Run run = run(null)) {
            assertThat(run.readAll()).isEmpty();
            write(log, "y".repeat(1_000) + "\nshort\n" + "z".repeat(41) + "\nlast\n");
            assertThat(run.readAll()).containsExactly("short", "last");
            assertThat(bad).extracting(BadRecord::line).containsExactly(1L, 3L);
        }
    }

    @Test
    void shouldSayThatTheFileIsGone() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            run.readAll();
            saved = run.save();
        }
        Files.delete(log);
        write(log, "other\n");
        LiveReader<String> reader = TextLines.follow(log.toString()).open(this);
        assertThat(reader.changed(log.toString(), saved.fingerprint()))
                .contains("2 bytes had been read")
                .contains("is not there any more");
        reader.addAt(log.toString(), saved.position());
        assertThat(reader.fetch(Duration.ZERO).get(0).next()).isNull();
        RecordBatch<String> first = reader.fetch(Duration.ZERO).get(0);
        assertThat(first.next()).isEqualTo("other");
        assertThat(first.position()).isEqualTo(saved.position() + 6);
        reader.close();
    }

    @Test
    void shouldRefuseToLeaveOutACompressedFile() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            run.readAll();
            saved = run.save();
        }
        rotate();
        write(log.resolveSibling("app.log.0.gz"), "packed");
        write(log, "c\n");
        try (Run run = run(saved)) {
            assertThatThrownBy(run::readAll)
                    .isInstanceOf(ConnectorException.class)
                    .hasMessageContaining("app.log.0.gz was compressed before it was read");
        }
    }

    @Test
    void shouldGoOn_ifTheFileInHandIsCompressedAtOnce() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\nb\n");
        try (Run run = run(null)) {
            assertThat(run.read(Duration.ofSeconds(1), Integer.MAX_VALUE)).containsExactly("a", "b");
            rotate();
            write(log, "c\n");
            Path old = log.resolveSibling("app.log.1");
            Path packed = log.resolveSibling("app.log.1.gz");
            Files.writeString(packed, "half of it"); // gzip is at work
            assertThat(run.read(Duration.ofMillis(300), Integer.MAX_VALUE)).isEmpty();
            Files.delete(packed);
            compress(old);
            write(log.resolveSibling("app.log-other.gz"), "none of it");
            assertThat(run.readAll()).containsExactly("c");
        }
    }

    @Test
    void shouldFindAFileThatWasUnpackedAgain() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\nb\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            assertThat(run.read(Duration.ofSeconds(1), 1)).containsExactly("a");
            saved = run.save();
        }
        Path copy = log.resolveSibling("app.log.1");
        Files.copy(log, copy);
        Files.delete(log);
        write(log, "c\n");
        try (Run run = run(saved)) {
            assertThat(run.readAll()).containsExactly("b", "c");
        }
    }

    @Test
    void shouldNotReadOldFilesAgain_ifSomebodyGoesOnWritingToThem() throws Exception {
        for (boolean with : new boolean[] {true, false}) {
            checkpoints = with;
            log = Files.createDirectory(folder.resolve("with-" + with)).resolve("app.log");
            write(log, "a\n");
            try (Run run = run(null)) {
                assertThat(run.readAll()).containsExactly("a");
                rotate();
                write(log, "b\n");
                assertThat(run.readAll()).containsExactly("b");
                write(log.resolveSibling("app.log.1"), "too late\n");
                rotate();
                write(log, "c\n");
                assertThat(run.readAll()).containsExactly("c");
                rotate();
                FileTime same = Files.getLastModifiedTime(log.resolveSibling("app.log.1"));
                Files.setLastModifiedTime(log.resolveSibling("app.log.2"), same);
                assertThat(run.readAll()).isEmpty();
                write(log, "d\n");
                assertThat(run.readAll()).containsExactly("d");
            }
        }
    }

    @Test
    void shouldNotReadOldFilesAgain_ifTheFileInHandIsDeleted() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a");
            rotate();
            write(log, "b\n");
            assertThat(run.readAll()).containsExactly("b");
            write(log.resolveSibling("app.log.1"), "too late\n");
            Files.delete(log);
            write(log, "c\n");
            assertThat(run.readAll()).containsExactly("c");
        }
    }

    @Test
    void shouldNameTheNewFileInCheckpoints_asSoonAsItIsOpen() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a");
            rotate();
            write(log, "half a li");
            assertThat(run.readAll()).isEmpty();
            saved = run.save();
        }
        Files.delete(log.resolveSibling("app.log.1"));
        write(log, "ne\n");
        try (Run run = run(saved)) {
            assertThat(run.readAll()).containsExactly("half a line");
        }
    }

    @Test
    void shouldPassOverTheRestOfALineThatIsTooLong_afterARestart() throws Exception {
        log = folder.resolve("app.log");
        write(log, "x".repeat(100));
        SavedPosition saved;
        try (Run run = run(null)) {
            assertThat(run.readAll()).isEmpty();
            assertThat(bad).hasSize(1);
            saved = run.save();
        }
        write(log, "the rest\nnext\n");
        try (Run run = run(saved)) {
            assertThat(run.readAll()).containsExactly("next");
        }
    }

    @Test
    void shouldWaitForAWriterThatHasNotOpenedTheNewFile_afterARestart() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a");
            saved = run.save();
        }
        rotate();
        Files.createFile(log);
        try (Run run = run(saved)) {
            assertThat(run.read(Duration.ofMillis(500), Integer.MAX_VALUE)).isEmpty();
            write(log.resolveSibling("app.log.1"), "b\n");
            write(log, "c\n");
            assertThat(run.readAll()).containsExactly("b", "c");
        }
    }

    @Test
    void shouldSayThatTheNameLeadsToADirectoryNow() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        try (Run run = run(null)) {
            run.readAll();
            Files.delete(log);
            Files.createDirectory(log);
            assertThatThrownBy(run::readAll).hasMessageContaining("not a regular file any more");
        }
    }

    @Test
    void shouldWarnOnce_ifATruncatedFileIsDeletedThen() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\nb\n");
        try (Run run = run(null)) {
            assertThat(run.readAll()).containsExactly("a", "b");
            Files.writeString(log, "");
            Files.delete(log);
            assertThat(run.readAll()).isEmpty();
            write(log, "c\n");
            assertThat(run.readAll()).containsExactly("c");
            assertThat(warnings).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void shouldSayThatAPositionIsBeforeAllFilesThatAreKnown() throws Exception {
        log = folder.resolve("app.log");
        write(log, "a\n");
        SavedPosition saved;
        try (Run run = run(null)) {
            run.readAll();
            for (int rotation = 0; rotation < 9; rotation++) {
                rotate();
                write(log, "next\n");
                run.readAll();
            }
            saved = run.save();
        }
        LiveReader<String> reader = TextLines.follow(log.toString()).open(this);
        assertThat(reader.changed(log.toString(), saved.fingerprint())).isNull();
        assertThatThrownBy(() -> reader.addAt(log.toString(), 0))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("the file that was read there is gone");
        reader.close();
    }

    @Test
    void shouldRefuseWhatCannotBeFollowed() throws Exception {
        assertThatIllegalArgumentException().isThrownBy(TextLines::follow);
        assertThatIllegalArgumentException().isThrownBy(() -> TextLines.follow("a", "a"));
        assertThatThrownBy(() -> TextLines.follow(folder.toString()).splits(1))
                .hasMessageContaining("it is a directory");
        assertThatThrownBy(() -> TextLines.follow(folder + "/none/a.log").splits(1))
                .hasMessageContaining("there is no directory");
        assertThatThrownBy(() -> TextLines.follow("/dev/null").splits(1)).hasMessageContaining("not a regular file");
        assertThatThrownBy(() -> TextLines.follow("-").splits(1)).hasMessageContaining("it is standard input");
        assertThatThrownBy(() -> TextLines.follow(folder + "/*.log").splits(1))
                .hasMessageContaining("a glob cannot be followed");
        String named = folder + "/a[1].log";
        Files.writeString(Path.of(named), "");
        assertThat(TextLines.follow(named).splits(1)).containsExactly(named);
    }

    /** Lines are written, files rotated and truncated, the job killed at any time: each line comes exactly once. */
    @Test
    void shouldReadEachLineOnce_howeverFilesAreRotatedAndTheJobIsKilled() throws Exception {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Random random = new Random(seed);
            log = Files.createDirectory(folder.resolve("seed-" + seed)).resolve("app.log");
            try {
                checkOne(random);
            } catch (Exception | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private void checkOne(Random random) throws Exception {
        List<String> written = new ArrayList<>();
        List<String> read = new ArrayList<>();
        SavedPosition saved = null;
        int savedLines = 0;
        int rotations = 0;
        Run run = run(null);
        for (int step = 0; step < 60; step++) {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> {
                    String line = "line " + written.size();
                    written.add(line);
                    int cut = random.nextInt(line.length());
                    write(log, line.substring(0, cut));
                    read.addAll(run.read(Duration.ofMillis(random.nextInt(300)), 1 + random.nextInt(4)));
                    if (run.last != null && random.nextBoolean()) {
                        saved = run.save();
                        savedLines = read.size();
                    }
                    write(log, line.substring(cut) + "\n");
                }
                case 3, 4 -> read.addAll(run.read(Duration.ofMillis(random.nextInt(2_500)), Integer.MAX_VALUE));
                case 5 -> {
                    if (Files.exists(log) && rotations < 8) {
                        rotations++;
                        rotate();
                    }
                }
                case 6 -> {
                    if (run.last != null) {
                        finishLast(run, read);
                        saved = run.save();
                        savedLines = read.size();
                    }
                }
                case 7 -> {
                    if (Files.exists(log) && rotations < 8) {
                        read.addAll(run.read(Duration.ofSeconds(20), Integer.MAX_VALUE));
                        rotations++;
                        rotate();
                        Path old = log.resolveSibling("app.log.1");
                        boolean whole = Files.readString(old).endsWith("\n");
                        if (whole && random.nextBoolean()) {
                            compress(old);
                        } else if (whole && random.nextBoolean()) {
                            Files.delete(old);
                        }
                        Files.createFile(log);
                        writes += random.nextInt(2);
                        Files.setLastModifiedTime(log, FileTime.fromMillis(1_700_000_000_000L + 1_000 * writes++));
                        read.addAll(run.read(Duration.ofSeconds(5), Integer.MAX_VALUE));
                        finishLast(run, read);
                        saved = run.save();
                        savedLines = read.size();
                        if (Files.exists(old) && Files.size(old) > 0 && random.nextBoolean()) {
                            write(old, "too late\n");
                        }
                    }
                }
                default -> {
                    if (saved != null) {
                        run.close();
                        run = run(saved);
                        read.subList(savedLines, read.size()).clear();
                    }
                }
            }
            finishLast(run, read);
        }
        if (!Files.exists(log)) {
            written.add("end");
            write(log, "end\n");
        }
        read.addAll(run.read(Duration.ofSeconds(30), Integer.MAX_VALUE));
        run.close();
        assertThat(read).isEqualTo(written);
    }

    /** Batches follow one another: what is left of the last one comes first. */
    private static void finishLast(Run run, List<String> read) throws Exception {
        RecordBatch<String> batch = run.last;
        for (String line = batch == null ? null : batch.next(); line != null; line = batch.next()) {
            read.add(line);
        }
    }
}
