// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.Doctor;
import io.thalweg.doctor.ObservationFile;
import io.thalweg.doctor.compare.Difference;
import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.Observation;
import io.thalweg.doctor.observation.RecordJson;
import io.thalweg.doctor.observation.TaskSpan;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares what the doctor predicts of each advice that is an option with what following it brings: the job as it is and as
 * advised, in turns, each run in a JVM of its own over the same input. It measures, so it needs a quiet machine: {@code -Pcorpus}.
 * Prints a table; only that outputs are the same is checked. {@code -Dthalweg.corpus=NAME,NAME} takes some jobs, {@code
 * -Dthalweg.pairs=N} another number of pairs.
 */
@Tag("corpus")
final class GainsTest {
    private static final int PAIRS = Integer.getInteger("thalweg.pairs", 4);

    /** Of input, for the job as it is. */
    private static final double SECONDS = 5;

    /** Smaller gains need the right sign only. */
    private static final double SCORED = 1.3;

    @TempDir
    Path folder;

    private int number;

    @Test
    void shouldPredictGains() throws Exception {
        List<String> only = List.of(System.getProperty("thalweg.corpus", "").split(","));
        System.out.println(
                "load " + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        double errors = 0;
        double errorsOfNoChange = 0;
        int scored = 0;
        int covered = 0;
        for (PlantedJob job : GainJobs.all()) {
            if (!only.equals(List.of("")) && !only.contains(job.name())) {
                continue;
            }
            Finding finding = null;
            Observation observed = observed(job);
            for (Finding each : Doctor.diagnose(observed).findings()) {
                finding = finding == null && each.option() != null ? each : finding;
            }
            if (finding == null) {
                System.out.println("| " + job + " | no advice that is an option | | | |");
                continue;
            }
            Gain gain = Objects.requireNonNull(finding.predictedGain());
            Difference measured = measured(job, observed, Objects.requireNonNull(finding.option()));
            boolean covers = gain.low() <= measured.ratio() && measured.ratio() <= gain.high();
            System.out.println(String.format(
                    Locale.ROOT,
                    "| `%s` | `%s` | `%s` | %.2f to %.2f | %.2f (%.2f to %.2f) | %s |",
                    job,
                    finding.rule(),
                    finding.option(),
                    gain.low(),
                    gain.high(),
                    measured.ratio(),
                    measured.ci95().low(),
                    measured.ci95().high(),
                    covers ? "yes" : "no"));
            if (measured.ratio() >= SCORED) {
                scored++;
                covered += covers ? 1 : 0;
                errors += Math.abs(Math.log(gain.middle() / measured.ratio()));
                errorsOfNoChange += Math.log(measured.ratio());
            }
        }
        if (scored == 0) {
            return;
        }
        System.out.println("of " + scored + " gains of " + SCORED + " or more " + covered
                + " within the interval; mean error of logarithms " + errors / scored + ", of \"no change\" "
                + errorsOfNoChange / scored);
        System.out.println(
                "load " + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private Observation observed(PlantedJob job) throws Exception {
        Path file = folder.resolve("observed-" + job + ".json");
        java(PlantedRun.class, job.name(), file.toString(), folder().toString());
        return ObservationFile.read(Files.readAllBytes(file));
    }

    private Difference measured(PlantedJob job, Observation observed, String option) throws Exception {
        List<GainRun.Input> input = input(observed);
        assertThat(run(job, option, input, true).output())
                .as(job + " " + option)
                .isEqualTo(run(job, "", input, true).output());
        double[] before = new double[PAIRS];
        double[] after = new double[PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean first = pair % 2 == 0; // neither always has the other's heat behind it
            if (first) {
                before[pair] = 1 / run(job, "", input, false).seconds();
            }
            after[pair] = 1 / run(job, option, input, false).seconds();
            if (!first) {
                before[pair] = 1 / run(job, "", input, false).seconds();
            }
        }
        return Difference.ofPairs(before, after, Difference.Better.MORE);
    }

    private static List<GainRun.Input> input(Observation observed) {
        double seconds = (observed.spans().get(observed.spans().size() - 1).toNs()
                        - observed.spans().get(0).fromNs())
                / 1e9;
        Map<String, Long> records = new HashMap<>();
        observed.spans().forEach(span -> {
            for (TaskSpan task : span.tasks()) {
                records.merge(task.operators().get(0), task.recordsIn(), Long::sum);
            }
        });
        List<GainRun.Input> input = new ArrayList<>();
        observed.plan().operators().stream()
                .filter(operator -> operator.kind().equals("source"))
                .forEach(source -> input.add(new GainRun.Input(
                        source.name(), (long) (records.getOrDefault(source.name(), 0L) / seconds * SECONDS))));
        return input;
    }

    private GainRun.Took run(PlantedJob job, String option, List<GainRun.Input> input, boolean digested)
            throws Exception {
        Path order = folder.resolve("order-" + number + ".json");
        Path took = folder.resolve("took-" + number + ".json");
        Files.writeString(
                order, RecordJson.line(new GainRun.Order(job.name(), option, input, digested, folder().toString())));
        java(GainRun.class, order.toString(), took.toString());
        return RecordJson.read(Files.readAllBytes(took), GainRun.Took.class);
    }

    /** Empty, for checkpoints. */
    private Path folder() throws Exception {
        return Files.createDirectory(folder.resolve("run-" + number++));
    }

    private static void java(Class<?> main, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                main.getName()));
        command.addAll(List.of(arguments));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
