// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.output.OutputFiles;
import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job without checkpoints that fails when its input has ended: the parts of the run before stay as they were. */
final class FailedCommitTest {
    private static final int TASKS = 3;

    @TempDir
    Path folder;

    /** The end of one task's part cannot be written. */
    private record Parts(String path, int failing) implements Sink<Long> {
        @Override
        public String name() {
            return "parts";
        }

        @Override
        public SinkWriter<Long> open(SinkContext context) {
            return new OutputFiles(path, ".txt").open(context, new RowFormat<Long>() {
                @Override
                public void row(Long row, TextOutput output) {
                    output.number(row);
                }

                @Override
                public void footer(TextOutput output) throws IOException {
                    if (context.task() == failing) {
                        throw new IOException("No space left on device");
                    }
                }
            });
        }
    }

    private void run(int failing) throws Exception {
        Topology topology = Topology.named("parts");
        topology.from(Sources.generate(100, i -> i)).to(new Parts(folder + "/out/", failing));
        Job job = new EmbeddedRunner(RunSettings.defaults().withParallelism(TASKS)).start(topology.graph());
        job.await();
    }

    private Map<String, String> parts() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            for (Path each : files.toList()) {
                found.put(String.valueOf(each.getFileName()), Files.readString(each));
            }
        }
        return found;
    }

    @Test
    void shouldLeaveWhatWasThere_ifATaskCannotEndItsPart() throws Exception {
        Files.createDirectory(folder.resolve("out"));
        for (int task = 0; task < TASKS + 2; task++) {
            Files.writeString(folder.resolve("out/part-0000" + task + ".txt"), "of yesterday");
        }
        Map<String, String> before = parts();
        for (int failing = 0; failing < TASKS; failing++) {
            int task = failing;
            assertThatThrownBy(() -> run(task)).hasStackTraceContaining("No space left on device");
            assertThat(parts()).isEqualTo(before);
        }
        run(-1);
        assertThat(parts().keySet()).containsExactly("part-00000.txt", "part-00001.txt", "part-00002.txt");
        assertThat(parts()).doesNotContainValue("of yesterday");
    }
}
