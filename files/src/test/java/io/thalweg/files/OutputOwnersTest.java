// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose an output is, and what others find of it: two jobs at once, one after the other, and files that somebody changed. */
final class OutputOwnersTest {
    private static final long PLAIN = SinkContext.NO_CHECKPOINTS;

    @TempDir
    Path folder;

    @SuppressWarnings("unchecked") // a writer of text
    private CheckpointedWriter<String> open(String output, String run, int task, int tasks, long checkpoint)
            throws Exception {
        PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return (CheckpointedWriter<String>) TextLines.write(folder + "/" + output)
                .open(new SinkContext(
                        "test", "sink", task, tasks, console, null, Guarantee.EXACTLY_ONCE, checkpoint, run));
    }

    private CheckpointedWriter<String> open(String output, String run, long checkpoint) throws Exception {
        return open(output, run, 0, 1, checkpoint);
    }

    private List<String> names(String directory) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(directory))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private Path only(String directory, String pattern) throws IOException {
        List<String> found =
                names(directory).stream().filter(name -> name.matches(pattern)).toList();
        assertThat(found).hasSize(1);
        return folder.resolve(directory).resolve(found.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "out.txt.gz", "parts/"})
    void shouldRefuseASecondJob_andLeaveTheFirstAlone(String output) throws Exception {
        for (long checkpoint : new long[] {PLAIN, 0}) {
            CheckpointedWriter<String> first = open(checkpoint + output, "first", checkpoint);
            first.write("one");
            for (long second : new long[] {PLAIN, 0, 1}) {
                assertThatExceptionOfType(ConnectorException.class)
                        .isThrownBy(() -> open(checkpoint + output, "second", second))
                        .withMessageContaining("another job writes to")
                        .withMessageContaining(output.replace("/", ""))
                        .withMessageContaining("(first)");
            }
            first.write("two");
            first.finish();
            first.close();
            open(checkpoint + "other-" + output, "second", PLAIN).close();
        }
        assertThat(folder.resolve("0" + output)).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "parts/"})
    void shouldRefuseAJobInAnotherProcess_untilTheFirstIsDead(String output) throws Exception {
        String path = folder + "/" + output;
        try (OtherProcess first = OtherProcess.writing(path, "first")) {
            assertThat(first.says()).isEqualTo("open");
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> open(output, "second", 0))
                    .withMessageContaining("another job writes to")
                    .withMessageContaining("(first)");
            try (OtherProcess third = OtherProcess.writing(path, "third")) {
                assertThat(third.says()).contains("another job writes to");
            }
            first.kill();
        }
        CheckpointedWriter<String> next = open(output, "next", 0);
        try (OtherProcess late = OtherProcess.writing(path, "late")) {
            assertThat(late.says()).contains("another job writes to");
        }
        next.write("of next");
        next.finish();
        next.close();
        assertThat(Reading.all(TextLines.read(path), new FakeContext())).containsExactly("of next");
    }

    @ParameterizedTest
    @ValueSource(strings = {"part-00000.csv", "part-00007-000003.txt", "part-00000-4f2a-c000.snappy.parquet"})
    void shouldAddNoPartsBesideThoseOfOthers(String other) throws Exception {
        Files.createDirectory(folder.resolve("parts"));
        Files.writeString(folder.resolve("parts").resolve(other), "of others");
        for (long checkpoint : new long[] {PLAIN, 0}) {
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> open("parts/", "run", checkpoint))
                    .withMessage("cannot write to " + folder.toRealPath().resolve("parts") + ": it holds " + other
                            + " of an earlier run, and this run would add parts to it; choose another directory");
            assertThat(names("parts")).doesNotContain("part-00000.txt").contains(other);
        }
    }

    /** A job that fails in between leaves no more of a mixture than it must. */
    @Test
    void shouldRemovePartsOfAnEarlierRun_whenAllOfItsOwnAreThere() throws Exception {
        Files.createDirectory(folder.resolve("parts"));
        for (int task = 0; task < 4; task++) {
            Files.writeString(folder.resolve("parts/part-0000" + task + ".txt"), "of the first");
        }
        CheckpointedWriter<String> one = open("parts/", "second", 0, 2, PLAIN);
        CheckpointedWriter<String> other = open("parts/", "second", 1, 2, PLAIN);
        one.finish();
        assertThat(names("parts")).contains("part-00001.txt", "part-00002.txt", "part-00003.txt");
        assertThat(folder.resolve("parts/part-00001.txt")).hasContent("of the first");
        other.finish();
        one.close();
        other.close();
        assertThat(names("parts")).containsExactly("part-00000.txt", "part-00001.txt");
    }

    @Test
    void shouldReplaceItsPartsOfAnEarlierRun() throws Exception {
        Files.createDirectory(folder.resolve("parts"));
        Files.writeString(folder.resolve("parts/_SUCCESS"), "");
        Files.writeString(folder.resolve("parts/part-00000.txt"), "of the first");
        Files.writeString(folder.resolve("parts/part-00001.txt"), "of the first");
        CheckpointedWriter<String> second = open("parts/", "second", PLAIN);
        second.write("two");
        second.finish();
        second.close();
        assertThat(names("parts")).containsExactly("_SUCCESS", "part-00000.txt");
        assertThat(folder.resolve("parts/part-00000.txt")).hasContent("two");
    }

    /** As tasks on several machines of a cluster. */
    @Test
    void shouldShareADirectoryWithAnotherProcessOfTheRun() throws Exception {
        try (OtherProcess first = OtherProcess.writing(folder + "/parts/", "run")) {
            assertThat(first.says()).isEqualTo("open");
            CheckpointedWriter<String> second = open("parts/", "run", 1, 2, 0);
            second.write("of the second");
            second.save(1);
            second.commit(1);
            first.finish();
            second.finish();
            second.close();
        }
        assertThat(Reading.all(TextLines.read(folder + "/parts/"), new FakeContext()))
                .containsExactlyInAnyOrder("of run", "of the second");
    }

    /** As where the machine of a task is cut off, and the task is begun again elsewhere: both would write to one file. */
    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "out.txt.gz"})
    void shouldNotGoOnInAFile_thatAnotherProcessOfTheRunStillHasOpen(String output) throws Exception {
        String path = folder + "/" + output;
        byte[] saved;
        try (OtherProcess first = OtherProcess.writing(path, "run")) {
            assertThat(first.says()).isEqualTo("open");
            saved = HexFormat.of().parseHex(first.says());
            CheckpointedWriter<String> tooEarly = open(output, "run", 1);
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> tooEarly.restore(List.of(saved)))
                    .withMessageContaining("another process of this job still has its unfinished output open, ");
            tooEarly.close();
            first.kill();
        }
        CheckpointedWriter<String> next = open(output, "run", 1);
        next.restore(List.of(saved));
        try (OtherProcess later = OtherProcess.restoring(path, "run", saved)) {
            assertThat(later.says()).contains("another process of this job still has its unfinished output open, ");
        }
        next.write("of the next");
        next.save(0);
        next.finish();
        next.close();
        assertThat(Reading.all(TextLines.read(path), new FakeContext())).containsExactly("of run", "of the next");
    }

    @Test
    void shouldRefuseTwoSinksOfOneRun() throws Exception {
        CheckpointedWriter<String> first = open("out.txt", "run", PLAIN);
        PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        SinkContext other = new SinkContext("test", "other", 0, 1, console, null, Guarantee.EXACTLY_ONCE, PLAIN, "run");
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> TextLines.write(folder + "/out.txt").open(other))
                .withMessageContaining("operator 'sink' of this job writes to");
        first.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "parts/"})
    void shouldLeaveNothingHidden_ifAJobEndedInGoodOrderOrFailed(String output) throws Exception {
        for (boolean finishes : new boolean[] {true, false}) {
            CheckpointedWriter<String> writer = open(output, "run " + finishes, PLAIN);
            writer.write("one");
            if (finishes) {
                writer.finish();
            }
            writer.close();
            assertThat(names(output.equals("parts/") ? "parts" : "")).allMatch(name -> !name.startsWith("."));
        }
    }

    /** Whoever removes the files beside the output, or writes there from a machine without locks, takes it over. */
    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "parts/"})
    void shouldShowNothing_ifItLostTheOutput(String output) throws Exception {
        Path record = folder.resolve(output.equals("parts/") ? "parts/.owner" : ".out.txt.owner");
        for (boolean removed : new boolean[] {true, false}) {
            CheckpointedWriter<String> writer = open(output, "run " + removed, 0);
            writer.write("one");
            writer.save(1);
            writer.commit(1);
            writer.write("two");
            writer.save(2);
            if (removed) {
                Files.delete(record);
            } else {
                Files.writeString(record, Files.readString(record).replace("run false", "thief"));
            }
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(writer::finish)
                    .withMessageContaining("this job no longer owns it");
            writer.close();
            assertThat(names(output.equals("parts/") ? "parts" : ""))
                    .noneMatch(name -> name.matches("out.*|part-.*2.txt"));
            Files.deleteIfExists(record);
            Files.deleteIfExists(folder.resolve("parts/part-00000-000001.txt"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "parts/"})
    void shouldNotBeginAgain_ifACheckpointCountsOnWhatIsHidden(String output) throws Exception {
        CheckpointedWriter<String> killed = open(output, "first", 0);
        killed.write("one");
        killed.save(1);
        killed.commit(1);
        killed.write("two");
        byte[] saved = killed.save(2);
        killed.close();
        if (output.equals("parts/")) {
            Files.delete(folder.resolve("parts/part-00000-000001.txt")); // a reader has it
        }
        for (long checkpoint : new long[] {PLAIN, 0}) {
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> open(output, "second", checkpoint))
                    .withMessageContaining("a checkpoint of an earlier run needs")
                    .withMessageContaining("--restore latest");
        }
        CheckpointedWriter<String> third = open(output, "third", 2);
        third.restore(List.of(saved));
        third.save(0);
        third.finish();
        third.close();
        Path found = folder.resolve(output.equals("parts/") ? "parts/part-00000-000002.txt" : output);
        assertThat(Files.readString(found)).endsWith("two\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "parts/"})
    void shouldClearAwayWhatAJobLeft_thatWasKilledBeforeItsFirstCheckpoint(String output) throws Exception {
        String directory = output.equals("parts/") ? "parts" : "";
        Files.createDirectories(folder.resolve(directory));
        Files.writeString(folder.resolve(directory).resolve(".part-00001-000001-x7.txt"), "left");
        Files.writeString(folder.resolve(directory).resolve(".part-00001.txt.x7.tmp"), "left");
        Files.writeString(folder.resolve(directory).resolve(".out.txt.x7.tmp"), "left");
        CheckpointedWriter<String> writer = open(output, "run", PLAIN);
        writer.finish();
        writer.close();
        if (output.equals("parts/")) {
            assertThat(names("parts")).containsExactly(".out.txt.x7.tmp", "part-00000.txt");
        } else {
            assertThat(names("")).containsExactly(".part-00001-000001-x7.txt", ".part-00001.txt.x7.tmp", "out.txt");
        }
    }

    @Test
    void shouldFail_ifAHiddenPartIsGoneAtTheCommit() throws Exception {
        CheckpointedWriter<String> writer = open("parts/", "run", 0);
        writer.write("one");
        writer.save(1);
        Files.delete(only("parts", "\\.part.*"));
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> writer.commit(1))
                .withMessageContaining(".part-00000-000001-")
                .withMessageContaining("which checkpoint 1 needs, are gone");
        writer.close();
    }

    @Test
    void shouldRefuseToGoOn_ifAHiddenPartIsGoneOrAnotherFile() throws Exception {
        for (boolean gone : new boolean[] {true, false}) {
            String output = gone + "/";
            CheckpointedWriter<String> killed = open(output, "first", 0);
            killed.write("one");
            byte[] saved = killed.save(1);
            killed.close();
            Path hidden = only(output, "\\.part.*");
            if (gone) {
                Files.delete(hidden);
            } else {
                Files.writeString(folder.resolve("other"), "two\n");
                Files.move(folder.resolve("other"), hidden, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
            CheckpointedWriter<String> next = open(output, "second", 1);
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> next.restore(List.of(saved)))
                    .withMessageContaining(hidden.getFileName().toString())
                    .withMessageContaining(gone ? "are gone" : "is not what checkpoint 1 saved");
            next.close();
            assertThat(names(output)).noneMatch(name -> name.startsWith("part-"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.txt", "out.txt.gz", "parts/"})
    void shouldGoOn_ifTheFilesWereCopied(String output) throws Exception {
        CheckpointedWriter<String> killed =
                open("here/" + (output.equals("parts/") ? "" : "x/../") + output, "a", 0, true);
        killed.write("one");
        byte[] saved = killed.save(1);
        killed.close();
        copy(folder.resolve("here"), folder.resolve("there"));

        CheckpointedWriter<String> next = open("there/" + output, "b", 1);
        next.restore(List.of(saved));
        next.write("two");
        next.save(0);
        next.finish();
        next.close();
        assertThat(Reading.all(TextLines.read(folder + "/there/" + output), new FakeContext()))
                .containsExactly("one", "two");
    }

    private CheckpointedWriter<String> open(String output, String run, long checkpoint, boolean make) throws Exception {
        if (make) {
            Files.createDirectories(folder.resolve("here/x"));
        }
        return open(output, run, checkpoint);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    /** Another job's output may hold parts that this job must not touch. */
    @Test
    void shouldTouchNothing_ifTheCheckpointIsOfAnotherOutput() throws Exception {
        CheckpointedWriter<String> mine = open("mine/", "mine", 0);
        mine.write("one");
        byte[] saved = mine.save(1);
        mine.close();
        CheckpointedWriter<String> other = open("other/", "other", 0);
        for (int checkpoint = 1; checkpoint < 4; checkpoint++) {
            other.write("row " + checkpoint);
            other.save(checkpoint);
            if (checkpoint < 3) {
                other.commit(checkpoint);
            }
        }
        other.close();
        List<String> before = names("other");

        CheckpointedWriter<String> wrong = open("other/", "mine again", 1);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> wrong.restore(List.of(saved)))
                .withMessageContaining(folder.resolve("other").toString())
                .withMessageContaining(folder.resolve("mine").toString());
        wrong.close();
        assertThat(names("other")).isEqualTo(before);

        CheckpointedWriter<String> file = open("out.txt", "file", 0);
        file.write("one");
        byte[] ofFile = file.save(1);
        file.close();
        CheckpointedWriter<String> elsewhere = open("another.txt", "file again", 1);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> elsewhere.restore(List.of(ofFile)))
                .withMessageContaining("which is another output");
        elsewhere.close();
    }

    @Test
    void shouldRefuseSavedBytesOfAnotherVersion() throws Exception {
        for (String output : List.of("out.txt", "parts/")) {
            for (byte[] foreign :
                    List.of(new byte[0], new byte[] {3, 1, 2, 3}, "thalweg file".getBytes(StandardCharsets.UTF_8))) {
                CheckpointedWriter<String> writer = open(output, "run", 1);
                assertThatExceptionOfType(ConnectorException.class)
                        .isThrownBy(() -> writer.restore(List.of(foreign)))
                        .withMessageContaining("another version of Thalweg");
                writer.close();
            }
        }
    }

    @Test
    void shouldRefuseAnotherFileInThePlaceOfWhatAJobFinished() throws Exception {
        CheckpointedWriter<String> first = open("out.txt", "first", 0);
        first.write("one");
        byte[] saved = first.save(0);
        first.finish();
        first.close();
        Files.writeString(folder.resolve("other"), "two\n");
        Files.move(
                folder.resolve("other"), folder.resolve("out.txt"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        CheckpointedWriter<String> again = open("out.txt", "again", 1);
        assertThatExceptionOfType(ConnectorException.class)
                .isThrownBy(() -> again.restore(List.of(saved)))
                .withMessageContaining("not the one that the job of the checkpoint wrote");
        again.close();
        assertThat(folder.resolve("out.txt")).hasContent("two\n");
    }

    /** One task starts again while the other writes and commits. */
    @Test
    void shouldTouchOnlyItsOwnParts_ifATaskStartsAgainAlone() throws Exception {
        CheckpointedWriter<String> living = open("parts/", "run", 1, 2, 0);
        living.write("living 1");
        CheckpointedWriter<String> late = open("parts/", "run", 0, 2, 0);
        late.write("late 1");
        byte[] saved = late.save(1);
        living.save(1);
        late.commit(1);
        living.commit(1);
        late.write("comes again");
        living.write("living 2");
        living.save(2);
        late.close();

        CheckpointedWriter<String> again = open("parts/", "run", 0, 2, 1);
        again.restore(List.of(saved));
        again.write("late 2");
        living.commit(2);
        again.save(3);
        again.commit(3);
        living.save(0);
        living.finish();
        living.close();
        again.close();
        assertThat(Reading.all(TextLines.read(folder + "/parts/"), new FakeContext()))
                .containsExactlyInAnyOrder("living 1", "late 1", "living 2", "late 2");
    }

    @Test
    void shouldNotFollowALink_plantedAtAHiddenName() throws Exception {
        assumeThat(File.separatorChar).isEqualTo('/');
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        for (String name : List.of(".out.txt.lock", ".out.txt.owner")) {
            Files.createSymbolicLink(folder.resolve(name), victim);
            assertThatExceptionOfType(ConnectorException.class)
                    .isThrownBy(() -> open("out.txt", "run", PLAIN))
                    .withMessageContaining("out.txt");
            Files.delete(folder.resolve(name));
        }
        CheckpointedWriter<String> killed = open("out.txt", "first", 0);
        killed.write("one");
        byte[] saved = killed.save(1);
        killed.close();
        Path hidden = only("", "\\.out\\.txt\\..*\\.tmp");
        Files.delete(hidden);
        Files.createSymbolicLink(hidden, victim);
        CheckpointedWriter<String> next = open("out.txt", "second", 1);
        assertThatExceptionOfType(ConnectorException.class).isThrownBy(() -> next.restore(List.of(saved)));
        next.close();
        assertThat(victim).hasContent("precious");
    }

    @Test
    void shouldLetNobodyElseReadWhatIsHidden() throws Exception {
        assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("posix");
        Path ordinary = Files.createFile(folder.resolve("ordinary"));
        for (String output : List.of("out.txt", "parts/")) {
            CheckpointedWriter<String> writer = open(output, "run", 0);
            writer.write("one");
            writer.save(1);
            boolean parts = output.equals("parts/");
            Path hidden = only(parts ? "parts" : "", parts ? "\\.part.*" : "\\.out.*tmp");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(hidden, LinkOption.NOFOLLOW_LINKS)))
                    .isEqualTo("rw-------");
            writer.commit(1);
            writer.finish();
            writer.close();
            Path shown = folder.resolve(parts ? "parts/part-00000-000001.txt" : output);
            assertThat(Files.getPosixFilePermissions(shown)).isEqualTo(Files.getPosixFilePermissions(ordinary));
        }
    }
}
