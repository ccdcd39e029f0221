// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Effect;
import io.thalweg.doctor.tune.Output;
import io.thalweg.doctor.tune.Setting;
import io.thalweg.doctor.tune.Step;
import io.thalweg.doctor.tune.TuneReport;
import io.thalweg.run.Clock;
import io.thalweg.web.runs.RunRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page reads these names. */
final class TuningRecordTest {
    private static final Choice THREADS = Choice.of(Setting.THREADS, 2);
    private static final Choice TASKS = Choice.of("part", Setting.TASKS, 4);

    private long nowMs = 1_000;

    private final TuningRecord record = new TuningRecord(
            new RunRecord.Run(
                    "one", "Job.java", "embedded", "thalweg 1", 500, Map.of("in", "a.csv"), Map.of("--budget", "10m")),
            "Job",
            new Clock() {
                @Override
                public long nowNs() {
                    return 0;
                }

                @Override
                public long epochMs() {
                    return nowMs;
                }
            });

    private static TuneReport report(Step.Outcome outcome) {
        return report(outcome, outcome == Step.Outcome.KEPT ? List.of(THREADS, TASKS) : List.of(THREADS), null);
    }

    private static TuneReport report(Step.Outcome outcome, List<Choice> kept, Effect total) {
        Step step = new Step(
                1,
                TASKS,
                "1",
                "doctor: parallelism",
                "one task is busy",
                new Gain(1.2, 2.4, Gain.THROUGHPUT),
                List.of(new Step.Pair(1_000, 1_500)),
                new Effect(1, 1_000, 1_500, 1.5, 0, 0),
                "held",
                outcome,
                "");
        return new TuneReport(
                TuneReport.VERSION,
                "Job",
                "throughput",
                null,
                null,
                2,
                1_000,
                List.of(new Output("'out'", 500, "a")),
                List.of(THREADS),
                null,
                List.of(step),
                List.of(),
                List.of(new TuneReport.Unfit(Choice.of(Setting.MAX_PENDING, 10), "it is not acked")),
                kept,
                total,
                "",
                null,
                4,
                9);
    }

    @Test
    void shouldTellWhatHappensNowBeforeAnythingWasMeasured() {
        record.next("the job as it is");
        record.shownAt("http://127.0.0.1:1/");

        assertThat(record.kept().summary())
                .isEqualTo(
                        "{\"id\":\"one\",\"topology\":\"Job\",\"job\":\"Job.java\",\"startedMs\":500,\"changedMs\":1000,"
                                + "\"elapsedMs\":500,\"state\":\"RUNNING\",\"over\":false,\"web\":\"http://127.0.0.1:1/\"}");
        assertThat(record.detail())
                .contains(
                        "\"version\":\"thalweg 1\",\"failure\":null,\"next\":\"the job as it is\"",
                        "\"settings\":{\"in\":\"a.csv\"},\"options\":{\"--budget\":\"10m\"}",
                        "\"file\":null,\"tuned\":null,\"command\":null}");
    }

    @Test
    void shouldTellTheStepThatIsBeingTried() {
        record.report(report(Step.Outcome.TRYING));

        assertThat(record.kept().summary()).endsWith("\"over\":false,\"goal\":\"throughput\",\"steps\":1,\"kept\":0}");
        assertThat(record.detail())
                .contains(
                        "\"steps\":[{\"number\":1,\"choice\":{\"operator\":\"part\",\"name\":\"parallelism\",\"value\":\"4\"},"
                                + "\"was\":\"1\",\"from\":\"doctor: parallelism\",\"why\":\"one task is busy\","
                                + "\"predicted\":{\"low\":1.2,\"high\":2.4,\"of\":\"throughput\"},"
                                + "\"pairs\":[{\"before\":1000.0,\"after\":1500.0}],\"measured\":{\"pairs\":1,\"before\":1000.0,"
                                + "\"after\":1500.0,\"ratio\":1.5,\"low\":0.0,\"high\":0.0},\"prediction\":\"held\","
                                + "\"outcome\":\"TRYING\",\"reason\":\"\"}]",
                        "\"unfit\":[{\"choice\":{\"operator\":\"\",\"name\":\"max-pending\",\"value\":\"10\"},"
                                + "\"why\":\"it is not acked\"}]");
    }

    @Test
    void shouldTellNoGainOfChangesThatWereWithdrawnTogether() {
        record.report(report(Step.Outcome.KEPT, List.of(THREADS), new Effect(3, 1_000, 900, 0.9, 0.8, 0.95)));

        assertThat(record.kept().summary()).endsWith("\"kept\":0}");
    }

    @Test
    void shouldTellHowItEnded() {
        record.next("the job as it was against what is kept");
        record.shownAt("http://127.0.0.1:1/");
        record.report(report(Step.Outcome.KEPT));
        record.settings("Job.tuned.yaml", "threads: 2\n", "thalweg run Job.java --tuned Job.tuned.yaml");
        nowMs = 9_500;
        record.end(TuningRecord.State.FINISHED, null);
        nowMs = 20_000;

        assertThat(record.kept().summary())
                .contains("\"changedMs\":9500,\"elapsedMs\":9000,\"state\":\"FINISHED\",\"over\":true,\"goal\"")
                .endsWith("\"kept\":1,\"gain\":1.5}");
        assertThat(record.detail())
                .contains("\"next\":\"\"", "\"tuned\":\"threads: 2\\n\"", "\"command\":\"thalweg run Job.java --tuned");
        record.end(TuningRecord.State.FAILED, "the job fails now");
        assertThat(record.detail()).contains("\"state\":\"FAILED\"", "\"failure\":\"the job fails now\"");
    }
}
