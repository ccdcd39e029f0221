// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.doctor.Diagnosis;
import io.thalweg.doctor.DiagnosisText;
import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.embedded.JobObserver;
import io.thalweg.doctor.embedded.Profiler;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs jobs with operators in Python, three of them with a planted fault, each for six seconds. {@code -Dthalweg.record=FOLDER} keeps the
 * observations there. It measures, so it needs a quiet machine: {@code -Pcorpus}, which no other step includes. What was recorded is judged
 * in each build, by the doctor's {@code CorpusTest}.
 */
@Tag("corpus")
final class RealPythonDoctorTest {
    private static final long ENDLESS = Long.MAX_VALUE / 4;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final int LOOKS = 12;

    /** Wide enough that to pass it costs more than to read one field of it. */
    record Reading(
            long number,
            String sensor,
            String place,
            String unit,
            double value,
            double least,
            double most,
            String note) {}

    @ParameterizedTest
    @CsvSource({
        "python-serialization, first, 0, python",
        "python-waits, asked, 0, python",
        "python-computes, computed, 0, python",
        "healthy-python, first, 1000,"
    })
    void shouldNameThePlantedFaultFirst(String job, String function, int rate, String fault, @TempDir Path folder)
            throws Exception {
        Observation observed = observed(graph(folder, function, rate));
        String to = System.getProperty("thalweg.record");
        if (to != null) {
            Files.writeString(Path.of(to, job + ".json"), RecordJson.line(observed) + "\n");
        }

        Diagnosis diagnosis = Doctor.diagnose(observed);
        List<String> found = diagnosis.findings().stream().map(Finding::rule).toList();
        String text = DiagnosisText.of(diagnosis);
        if (fault == null) {
            assertThat(found).as(text).isEmpty();
        } else {
            assertThat(found).as(text).isNotEmpty().first().isEqualTo(fault);
        }
    }

    /** @param rate 0 for as fast as it goes */
    private static TopologyGraph graph(Path folder, String function, int rate) {
        PythonOperator operator = Python.operator(Jobs.script(folder, "readings.py"), function);
        Topology topology = Topology.named("Python");
        var source = Sources.generate(ENDLESS, RealPythonDoctorTest::reading).splitInto(2);
        Stream<Reading> readings = topology.from(rate > 0 ? source.rate(rate) : source);
        operator.map(readings, Double.class).name("score").to(Sinks.discard());
        return topology.graph();
    }

    private static Reading reading(long number) {
        return new Reading(
                number, "sensor-" + number % 50, "hall " + number % 7, "celsius", number % 40, -20, 60, "calibrated");
    }

    private static Observation observed(TopologyGraph graph) throws Exception {
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            JobObserver observer = new JobObserver();
            RunSettings settings = RunSettings.defaults()
                    .withParallelism(2)
                    .withThreads(2)
                    .withStages(profiler::made)
                    .withKeys((from, to, task) -> observer.keys().along(from, to, task)::add);
            RunningJob job = new EmbeddedRunner(settings).start(graph);
            for (int i = 0; i < LOOKS && !job.await(LOOK); i++) {
                observer.look(job.stats(), job.restarts(), job.lastFailure(), job.lastCheckpoint());
            }
            Observation observation = observer.observation(job.stats().state(), profiler.profiles(), null);
            job.cancel();
            job.await();
            return observation;
        }
    }
}
