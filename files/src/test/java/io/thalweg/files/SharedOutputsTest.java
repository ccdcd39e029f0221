// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two sinks of one topology that write to one place. */
final class SharedOutputsTest {
    @TempDir
    Path folder;

    private static TopologyGraph writing(String first, String second) {
        Topology topology = Topology.named("both");
        Stream<String> lines = topology.from(Sources.of("a", "b"));
        lines.to(TextLines.write(first)).name("one");
        lines.to(TextLines.write(second)).name("two");
        return topology.graph();
    }

    private static void refused(String first, String second) {
        assertThatExceptionOfType(TopologyException.class)
                .as("%s and %s", first, second)
                .isThrownBy(() -> writing(first, second))
                .withMessageContaining("operator 'two'")
                .withMessageContaining("operator 'one'")
                .withMessageContaining(Path.of(first).getFileName().toString());
    }

    @Test
    void shouldRefuseOnePlaceByWhateverName() throws Exception {
        Path real = Files.createDirectories(folder.resolve("real"));
        String out = real + "/out.txt";
        refused(out, out);
        refused(out, real + "/./out.txt");
        refused(out, real + "/missing/../out.txt");
        refused(out, real + "//out.txt");
        refused(real + "/new/", real + "/new");
        refused(real + "/new/deeper/", real + "/new/deeper/");
        refused(out, Path.of("").toAbsolutePath().relativize(Path.of(out)).toString());
        if (File.separatorChar == '/') {
            Files.createSymbolicLink(folder.resolve("link"), real);
            refused(out, folder + "/link/out.txt");
            refused(real + "/new/", folder + "/link/new/");
            Files.writeString(Path.of(out), "there");
            Files.createSymbolicLink(real.resolve("other.txt"), Path.of(out));
            refused(out, folder + "/link/other.txt");
        }
    }

    @Test
    void shouldRefuseAFileThatHasTheNameOfAPart() {
        refused(folder + "/parts/", folder + "/parts/part-00000.txt");
        refused(folder + "/parts/part-00000-000001.txt", folder + "/parts/");
    }

    @Test
    void shouldTakeWhatManyMayWrite() {
        assertThat(writing("-", "-").nodes()).hasSize(3);
        assertThat(writing(folder + "/a.txt", folder + "/b.txt").nodes()).hasSize(3);
        assertThat(writing(folder + "/parts/", folder + "/parts/more/").nodes()).hasSize(3);
        if (File.separatorChar == '/') {
            assertThat(writing("/dev/null", "/dev/null").nodes()).hasSize(3);
        }
    }
}
