// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LoopbackAgentTest {
    @TempDir
    private Path folder;

    /** Otherwise no worker starts for a topology that was written for Storm. */
    @Test
    void shouldBringAllItsClasses() throws Exception {
        Path jar = folder.resolve("agent.jar");
        LoopbackAgent.writeJar(jar);

        try (JarFile written = new JarFile(jar.toFile())) {
            List<String> classes = written.stream()
                    .map(ZipEntry::getName)
                    .filter(each -> each.endsWith(".class"))
                    .toList();
            assertThat(classes)
                    .hasSize(LoopbackAgent.class.getNestMembers().length)
                    .hasSizeGreaterThan(1);
        }
    }
}
