// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.files.output.SavedFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What others did to the files between a checkpoint and going on from it. */
final class RestoredFilesTest {
    @TempDir
    Path folder;

    @SuppressWarnings("unchecked") // a writer of text
    private CheckpointedWriter<String> open(String output, long checkpoint, int task, int tasks) throws Exception {
        PrintStream console = new PrintStream(System.err, false, StandardCharsets.UTF_8);
        return (CheckpointedWriter<String>) TextLines.write(folder + "/" + output)
                .open(new SinkContext(
                        "test", "sink", task, tasks, console, null, Guarantee.EXACTLY_ONCE, checkpoint, "run"));
    }

    private CheckpointedWriter<String> open(String output, long checkpoint) throws Exception {
        return open(output, checkpoint, 0, 1);
    }

    private List<Path> filesIn(Path directory, String pattern) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
            files.forEach(found::add);
        }
        return found;
    }

    @Test
    void shouldGoOn_whereAReaderHasTakenPartsAway() throws Exception {
        CheckpointedWriter<String> killed = open("parts/", 0);
        killed.write("one");
        byte[] saved = killed.save(1);
        killed.commit(1);
        for (Path part : filesIn(folder.resolve("parts"), "part-*")) {
            Files.delete(part);
        }

        CheckpointedWriter<String> next = open("parts/", 1);
        next.restore(List.of(saved));
        next.write("two");
        next.save(2);
        next.commit(2);

        List<Path> parts = filesIn(folder.resolve("parts"), "part-*");
        assertThat(parts).hasSize(1);
        assertThat(parts.get(0)).hasContent("two\n");
    }

    /** Of two tasks that continue from one, twice: nobody else may remove what the second wrote first, and it does not stay. */
    @Test
    void shouldRemoveWhatIsHidden_ofATaskThatHadNoneAtTheCheckpoint() throws Exception {
        CheckpointedWriter<String> one = open("parts/", 0);
        one.write("one");
        byte[] saved = one.save(1);
        one.commit(1);
        one.close();
        CheckpointedWriter<String> failed = open("parts/", 1, 1, 2);
        failed.restore(List.of());
        failed.write("two");
        failed.save(2);
        failed.close();

        CheckpointedWriter<String> second = open("parts/", 1, 1, 2);
        second.restore(List.of());
        second.write("two");
        CheckpointedWriter<String> first = open("parts/", 1, 0, 2);
        first.restore(List.of(saved));
        first.save(2);
        second.save(2);
        first.commit(2);
        second.commit(2);

        assertThat(filesIn(folder.resolve("parts"), ".part-*")).isEmpty();
        assertThat(filesIn(folder.resolve("parts"), "part-*")).hasSize(2);
        assertThat(folder.resolve("parts/part-00001-000002.txt")).hasContent("two\n");
    }

    /** It was looked for under its hidden name alone, and said to be missing. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldFindAFileThatIsInItsPlace_alsoWithALineEndInItsName() throws Exception {
        CheckpointedWriter<String> writer = open("a\nb.txt", 0);
        writer.write("one");
        byte[] saved = writer.save(0);
        assertThat(SavedFiles.problems(saved)).isEmpty();
        writer.finish();
        writer.close();

        assertThat(SavedFiles.problems(saved)).isEmpty();
    }

    @Test
    void shouldSayThatWhatItWroteIsGone() throws Exception {
        CheckpointedWriter<String> writer = open("parts/", 0);
        writer.write("one");
        for (Path hidden : filesIn(folder.resolve("parts"), ".part-*")) {
            Files.delete(hidden);
        }

        assertThatThrownBy(() -> writer.save(1))
                .isInstanceOf(ConnectorException.class)
                .hasMessageEndingWith(": the file is gone, and this job did not remove it");
        writer.close();
    }

    record One(String a) {}

    record Two(String a, int b) {}

    @SuppressWarnings("unchecked") // a writer of these records
    private <T> CheckpointedWriter<T> open(String output, Class<T> columns, long checkpoint) throws Exception {
        PrintStream console = new PrintStream(System.err, false, StandardCharsets.UTF_8);
        return (CheckpointedWriter<T>) Csv.write(folder + "/" + output, columns)
                .open(new SinkContext("test", "sink", 0, 1, console, null, Guarantee.EXACTLY_ONCE, checkpoint, "run"));
    }

    /** Rows of three fields would stand below a header of two. */
    @ParameterizedTest
    @ValueSource(strings = {"out.csv", "out.csv.gz"})
    void shouldRefuseToGoOn_belowTheHeaderOfOtherColumns(String output) throws Exception {
        CheckpointedWriter<One> killed = open(output, One.class, 0);
        killed.write(new One("x"));
        byte[] saved = killed.save(1);

        CheckpointedWriter<Two> changed = open(output, Two.class, 1);
        assertThatThrownBy(() -> changed.restore(List.of(saved)))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot restore output " + folder.toRealPath().resolve(output)
                        + ": it was begun with other columns, below which rows of this job do not fit;"
                        + " restore the job with the columns that it had at the checkpoint");
        changed.close();

        CheckpointedWriter<One> same = open(output, One.class, 1);
        same.restore(List.of(saved));
        same.write(new One("y"));
        same.save(0);
        same.finish();
        same.close();
        assertThat(Reading.all(Csv.read(folder + "/" + output, One.class), new FakeContext()))
                .containsExactly(new One("x"), new One("y"));
    }

    @Test
    void shouldSayThatStandardOutputIsClosedOrFull() throws Exception {
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        SinkContext context =
                new SinkContext("test", "sink", 0, 1, new PrintStream(full, true, StandardCharsets.UTF_8));
        SinkWriter<String> writer = TextLines.write("-").open(context);
        assertThatThrownBy(() -> writer.write("one")).hasMessage("cannot write standard output: it is closed or full");
    }

    /** The file at its place is one of an earlier run, not what was being written. */
    @Test
    void shouldRefuseToGoOn_whereWhatWasWrittenIsGone() throws Exception {
        Files.writeString(folder.resolve("out.txt"), "of an earlier run\n");
        CheckpointedWriter<String> killed = open("out.txt", 0);
        killed.write("one");
        byte[] saved = killed.save(1);
        for (Path hidden : filesIn(folder, ".out.txt.*.tmp")) {
            Files.delete(hidden);
        }

        CheckpointedWriter<String> next = open("out.txt", 1);
        assertThatThrownBy(() -> next.restore(List.of(saved)))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("cannot write " + folder.resolve("out.txt") + ": its unfinished output, ")
                .hasMessageEndingWith(", is gone");
        next.close();
        assertThat(folder.resolve("out.txt")).hasContent("of an earlier run\n");
    }

    /** The job was killed after its output was complete, and then its last checkpoint was damaged. */
    @Test
    void shouldTakeBackAFile_whereTheCheckpointBeforeTheLastIsUsed() throws Exception {
        CheckpointedWriter<String> killed = open("out.txt", 0);
        killed.write("one");
        byte[] saved = killed.save(1);
        killed.write("two");
        killed.save(0);
        killed.finish();
        assertThat(folder.resolve("out.txt")).hasContent("one\ntwo\n");

        CheckpointedWriter<String> next = open("out.txt", 1);
        next.restore(List.of(saved));
        next.write("two");
        next.save(0);
        next.finish();
        next.close();
        assertThat(folder.resolve("out.txt")).hasContent("one\ntwo\n");
        assertThat(filesIn(folder, ".out.txt.*.tmp")).isEmpty();
    }
}
