// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.observation.OperatorProfile;
import io.thalweg.doctor.observation.PythonWork;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What real processes in Python tell the doctor. */
@Timeout(300)
final class PythonWorksTest {
    @BeforeAll
    static void needPython() throws InterruptedException {
        try {
            new ProcessBuilder("python3", "--version").start().waitFor();
        } catch (IOException e) {
            abort("python3 is not installed: the test of what its processes tell is left out");
        }
    }

    @Test
    void shouldTellWhatTheProcessesOfAnOperatorDid(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("waits.py"), """
                import time
                from thalweg import operator

                @operator(batch=True)
                def waits(rows):
                    time.sleep(0.01)
                    return rows
                """);
        Topology topology = Topology.named("waits");
        Python.operator(script, "waits")
                .map(topology.from(Sources.generate(Long.MAX_VALUE / 4, index -> index)), Long.class)
                .name("slow")
                .to(Sinks.discard());
        CountDownLatch answered = new CountDownLatch(3);
        try (RecordingStream told = new RecordingStream();
                Profiler profiler = new Profiler()) {
            told.enable("thalweg.PythonWork");
            told.onEvent("thalweg.PythonWork", event -> {
                if (event.getLong("rows") > 0) {
                    answered.countDown();
                }
            });
            told.startAsync();
            profiler.start();
            RunningJob job = new EmbeddedRunner(
                            RunSettings.defaults().withParallelism(1).withStages(profiler::made))
                    .start(topology.graph());
            answered.await();
            profiler.stop();
            job.cancel();
            job.await();
            List<OperatorProfile> profiles = profiler.profiles();

            PythonWork work = Objects.requireNonNull(profiles.stream()
                    .filter(each -> each.operator().equals("slow"))
                    .findFirst()
                    .orElseThrow()
                    .python());
            assertThat(work.processes()).isEqualTo(1);
            assertThat(work.takes()).isEqualTo("batches");
            assertThat(work.rows()).isGreaterThanOrEqualTo(work.batches()).isPositive();
            // each of the batches stood still for 10 ms
            assertThat(work.functionNs()).isGreaterThanOrEqualTo(work.batches() * 10_000_000);
            assertThat(work.threadsNs()).isPositive();
        }
    }
}
