// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import io.thalweg.doctor.observation.PythonWork;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PythonRuleTest {
    private static final long NS = 1_000_000_000;

    /** Two processes over ten seconds; shares of their time. */
    private static PythonWork work(String takes, double cpu, Double function) {
        return new PythonWork(
                2,
                takes,
                "msgpack 1.2.4",
                20 * NS,
                1_000_000,
                2_000,
                Math.round(cpu * 20 * NS),
                function == null ? null : Math.round(function * 20 * NS),
                function == null ? null : Math.round((1 - Math.max(cpu, function)) * 20 * NS),
                3 * NS);
    }

    /** Sources that are held back for most of the time, before two tasks with a process each. */
    private static MadeUpJob job(PythonWork work) {
        MadeUpJob job = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(2, "in")
                .task(50_000, 0.1, 0, 0.9)
                .task(50_000, 0.1, 0, 0.9)
                .operator("score", "async", "", false)
                .chain(2, "score")
                .task(50_000, 0.1, 0.1, 0.8)
                .task(50_000, 0.1, 0.1, 0.8)
                .python("score", work);
        job.usedCores = 0.4;
        job.machineLoad = 0.99;
        return job;
    }

    private static List<Finding> found(MadeUpJob job) {
        return new PythonRule().findings(job.facts());
    }

    @Test
    void shouldAdviseColumnsWhereSerializationTakesTheTime_andPredictNoMoreThanAllOfIt() {
        assertThat(found(job(work("rows", 0.9, 0.45)))).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo("python");
            assertThat(finding.operator()).isEqualTo("score");
            assertThat(finding.remedy()).startsWith("mark the function with @operator(batch=\"arrow\")");
            assertThat(finding.predictedGain()).isEqualTo(new Gain(1, 2, Gain.THROUGHPUT));
            assertThat(finding.evidence())
                    .extracting(figure -> figure.name() + " " + figure.value() + " " + figure.unit())
                    .contains(
                            "of their time busy 90.0 %",
                            "in the function 45.0 %",
                            "of the busy time in unpacking rows and packing results 50.0 %",
                            "in the function for a row 9.0 us",
                            "rows in a batch 500.0 ",
                            "cores that its processes use 1.8 of 2");
        });
    }

    @Test
    void shouldAdviseTheFasterMessagePackWhereItIsMissing() {
        PythonWork slow = new PythonWork(2, "rows", "built in", 20 * NS, 1_000, 10, 18 * NS, 6 * NS, 2 * NS, NS);

        assertThat(found(job(slow)))
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy()).startsWith("install the package msgpack"));
    }

    @Test
    void shouldPredictNothingWhereTheFunctionTakesTheTimeOfAllCores() {
        assertThat(found(job(work("rows", 0.9, 0.8)))).singleElement().satisfies(finding -> {
            assertThat(finding.remedy()).contains("@operator(batch=True)", "write it in Java");
            assertThat(finding.predictedGain()).isNull();
        });
    }

    @Test
    void shouldAdviseMoreProcessesWhereCoresAreIdle() {
        MadeUpJob job = job(work("rows", 0.9, 0.8));
        job.cores = 8;
        job.machineLoad = 0.3;

        // 2.2 of 8 cores are used; the sources could be ten times as fast
        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.remedy()).isEqualTo("give the operator .processes(4) for each of its 2 tasks");
            assertThat(finding.predictedGain()).isEqualTo(Gain.throughput(1 / 0.3));
        });
    }

    @Test
    void shouldAdviseNoMoreProcessesThanWhatFeedsThemIsWorth() {
        MadeUpJob job = job(work("rows", 0.1, 0.9));
        job.machineLoad = 0.1;
        assertThat(found(job)).singleElement().satisfies(finding -> {
            assertThat(finding.why()).contains("waits for something else");
            assertThat(finding.remedy()).contains(".processes(4)");
        });

        job.operator("dear", "map", "", false).chain(1, "dear").task(100_000, 0.95, 0, 0);
        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldNotTakeWaitingForACoreForACallThatStandsStill() {
        assertThat(found(job(work("rows", 0.3, 0.9))))
                .singleElement()
                .satisfies(finding -> assertThat(finding.why()).doesNotContain("waits for something else"));
    }

    @Test
    void shouldHaveNoAdviceForColumnsOnAllCores() {
        assertThat(found(job(work("arrow", 0.95, null)))).isEmpty();
    }

    @Test
    void shouldNotFindProcessesThatHaveTime() {
        assertThat(found(job(work("rows", 0.69, 0.5)))).isEmpty();
        assertThat(found(job(work("rows", 0.70, 0.5)))).hasSize(1);
    }

    @Test
    void shouldNotFindAJobThatKeepsUp() {
        MadeUpJob paced = new MadeUpJob()
                .operator("in", "source", "", false)
                .chain(1, "in")
                .task(1_000, 0.01, 0.99, 0)
                .operator("score", "async", "", false)
                .chain(1, "score")
                .task(1_000, 0.01, 0.9, 0)
                .python("score", work("rows", 0.9, 0.4));

        assertThat(found(paced)).isEmpty();
    }
}
