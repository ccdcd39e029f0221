// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A trial cluster whose disk is full. */
@Timeout(600)
final class StormClusterTest {
    @TempDir
    private Path folder;

    @Test
    void shouldFindNoProcess_whoseIdCouldNotBeWritten() throws Exception {
        for (String written : List.of("", "x\n", "-")) {
            Files.writeString(folder.resolve("keeper.pid"), written);
            assertThat(StormCluster.stop(folder)).isFalse();
        }
    }

    private static Process inNamespace(String command) throws Exception {
        return new ProcessBuilder("unshare", "--mount", "--map-root-user", "sh", "-c", command)
                .redirectErrorStream(true)
                .start();
    }

    /** Otherwise its ZooKeeper begins, cannot write, and nobody is told for a minute and a half. */
    @Tag("integration")
    @Test
    void shouldSayAtOnce_thatTheDiskIsFull() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/unshare")));
        String mount = "mount -t tmpfs -o size=1m tmpfs '" + folder + "'";
        assumeTrue(inNamespace(mount).waitFor() == 0, "nothing can be mounted here");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process start = inNamespace(mount + " && exec '" + java + "' -cp '" + StormCluster.classPathText() + "' "
                + StormCluster.class.getName() + " start '" + folder.resolve("storm") + "' 1");
        start.getOutputStream().close();
        String said = new String(start.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(start.waitFor()).isNotZero();
        assertThat(said).contains("Storm does not start: ").contains("No space left on device");
    }
}
