// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TunedOutputTest {
    @TempDir
    private Path folder;

    private Path file;
    private TunedOutput output;

    @BeforeEach
    void open() {
        file = folder.resolve("Job.tuned.yaml");
        output = TunedOutput.of(file.toString());
    }

    private List<Path> all() throws Exception {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void shouldReplaceWhatItHasWritten() throws Exception {
        assertThat(output.isWritten()).isFalse();
        output.write("threads: 1\n");
        output.write("threads: 2\n");

        assertThat(output.isWritten()).isTrue();
        assertThat(file).hasContent("threads: 2\n");
        assertThat(all()).containsExactly(file);
    }

    /** As another tuning with the same name for its file may, which began at the same time. */
    @Test
    void shouldLeaveWhatSomebodyElseHasWritten() throws Exception {
        Files.writeString(file, "threads: 3\n");

        assertThatThrownBy(() -> output.write("threads: 1\n"))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("--out: somebody else has written " + file + " meanwhile; name another file with --out");
        assertThat(file).hasContent("threads: 3\n");
        assertThat(all()).containsExactly(file);
    }

    @Test
    void shouldSayWhyItCannotBeWritten() throws Exception {
        output.write("threads: 1\n");
        Files.delete(file);
        Files.createDirectories(file.resolve("theirs"));
        assertThatThrownBy(() -> output.write("threads: 2\n"))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("--out: " + file + " cannot be written: DirectoryNotEmptyException");
    }
}
