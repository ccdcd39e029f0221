// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
final class SavepointCommandTest {
    @TempDir
    private Path folder;

    @Test
    void shouldLeadWhereTheShellWould_ifALinkIsOnTheWay() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk/checkpoints"));
        Path saved = Files.createDirectory(folder.resolve("disk/saved"));
        Files.createDirectory(folder.resolve("saved"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), disk);

        assertThat(Files.isSameFile(SavepointCommand.absolute(link.resolve("../saved")), saved))
                .isTrue();
    }

    @Test
    void shouldBeAbsolute_withoutDots() {
        assertThat(SavepointCommand.absolute(folder.resolve("./saved/."))).isEqualTo(folder.resolve("saved"));
        assertThat(SavepointCommand.absolute(Path.of("saved"))).isAbsolute();
    }
}
