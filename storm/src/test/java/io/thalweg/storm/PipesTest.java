// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.files.TextLines;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipes are read if Storm runs in this JVM, and refused by name otherwise. */
@Timeout(900)
final class PipesTest {
    @TempDir
    Path directory;

    @Tag("integration")
    @Test
    void shouldReadAPipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assumeThat(Path.of("/usr/bin/mkfifo")).exists();
        assertThat(new ProcessBuilder("/usr/bin/mkfifo", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();
        Thread writer = new Thread(() -> {
            try {
                Files.writeString(pipe, "one\ntwo\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.setDaemon(true);
        writer.start();
        Path out = directory.resolve("out.txt");
        StormRunner.local(RunSettings.defaults(), 1)
                .start(graph(pipe.toString(), out))
                .await();
        assertThat(out).hasContent("one\ntwo\n");
    }

    @Test
    void shouldRefuseStandardInputOnAClusterElsewhere() {
        assertThatThrownBy(() -> StormRunner.on(
                                RunSettings.defaults(), NimbusSubmitter.at("127.0.0.1:6627", List.of(), line -> {}))
                        .explain(graph("-", directory.resolve("out"))))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("topology 'pipes', operator 'source': the source standard input can be read only here and"
                        + " only once, not by the Storm cluster; write it to a file that the cluster sees, or run"
                        + " the job in this process");
    }

    @Test
    void shouldRefuseStandardInputWithCheckpoints() {
        RunSettings settings = RunSettings.defaults()
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(directory.resolve("checkpoints")));
        assertThatThrownBy(() -> StormRunner.local(settings, 1)
                        .start(graph("-", directory.resolve("out")))
                        .await())
                .hasMessageContaining(
                        "operator 'source': the source standard input cannot be read again from a position,"
                                + " which the guarantee at-least-once needs");
    }

    private static TopologyGraph graph(String in, Path out) {
        Topology topology = Topology.named("pipes");
        topology.from(TextLines.read(in)).parallelism(1).to(TextLines.write(out.toString()));
        return topology.graph();
    }
}
