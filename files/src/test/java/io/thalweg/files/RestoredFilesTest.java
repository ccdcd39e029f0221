// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others did to the files between a checkpoint and going on from it. */
final class RestoredFilesTest {
    @TempDir
    Path folder;

    @SuppressWarnings("unchecked") // a writer of text
    private CheckpointedWriter<String> open(String output, long checkpoint) throws Exception {
        PrintStream console = new PrintStream(System.err, false, StandardCharsets.UTF_8);
        return (CheckpointedWriter<String>) TextLines.write(folder + "/" + output)
                .open(new SinkContext("test", "sink", 0, 1, console, null, Guarantee.EXACTLY_ONCE, checkpoint, "run"));
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
