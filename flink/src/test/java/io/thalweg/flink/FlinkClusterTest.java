// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlinkClusterTest {
    @TempDir
    private Path folder;

    /** The disk was full. */
    @Test
    void shouldFindTheProcessesOfAListThatEndsShort() throws Exception {
        ProcessHandle own = ProcessHandle.current();
        String known = own.pid() + " "
                + own.info().startInstant().map(Object::toString).orElse("?") + "\n";
        for (String end : List.of("", "7", "\n", "x y\n")) {
            Files.writeString(folder.resolve("processes"), known + end);
            assertThat(FlinkCluster.running(folder)).containsExactly(own);
        }
    }
}
