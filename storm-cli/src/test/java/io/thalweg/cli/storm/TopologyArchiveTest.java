// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher runs once, without a word if it fails: later starts would only be slower. */
@Timeout(600)
@Tag("integration")
final class TopologyArchiveTest {
    @TempDir
    private Path folder;

    @Test
    void shouldRunItsTopologyAndLeaveNothing() throws Exception {
        CommandLine commandLine = new CommandLine(folder);

        CommandLine.Outcome outcome = commandLine.runClass(TopologyArchive.class);

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.out()).containsPattern("receive +1 +1 +0 +0 +[1-9][0-9]{2}");
        assertThat(commandLine.left()).isEmpty();
    }
}
