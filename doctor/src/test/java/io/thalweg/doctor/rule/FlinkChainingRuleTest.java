// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vertices of Flink that could be one. */
final class FlinkChainingRuleTest {
    private static final String IN = "Source: in";

    private static List<Finding> found(MadeUpFlink job) {
        return new FlinkChainingRule().findings(job.facts());
    }

    /** Two tasks of each vertex, which together keep two cores busy. */
    private static MadeUpFlink full(long records) {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 2, records, 0.9, 0)
                .vertex("map", 2, records, 0.9, 0)
                .edge(IN, "map", "forward");
        job.cores = 2;
        job.usedCores = 1.95;
        return job;
    }

    @Test
    void shouldPredictWhatHandingOverTakesOfTheCores() {
        List<Finding> found = found(full(1_000_000).samples(IN, 0, 0, 300, 0, 0).samples("map", 0, 0, 0, 200, 0));

        assertThat(found).hasSize(1);
        assertThat(found.get(0).rule()).isEqualTo("broken-chaining");
        assertThat(found.get(0).operator()).isEqualTo("map");
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(4 / (4 - 1.0)));
    }

    @Test
    void shouldTakeTheLeastThatIsMeasuredWithoutStacks() {
        List<Finding> found = found(full(5_000_000));

        assertThat(found).hasSize(1);
        // at 40 ns a fifth of a task is saved on both sides together, and never more than six tenths of all
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(3.6 / (3.6 - 0.4), 3.6 / (3.6 - 2.16)));
        assertThat(found(full(2_000_000))).as("less than two runs differ by").isEmpty();
    }

    @Test
    void shouldFindNothingThatCannotBeChained() {
        MadeUpFlink rebalanced = new MadeUpFlink()
                .vertex(IN, 2, 5_000_000, 0.9, 0)
                .vertex("map", 2, 5_000_000, 0.9, 0)
                .edge(IN, "map", "rebalance");
        MadeUpFlink others = new MadeUpFlink()
                .vertex(IN, 1, 5_000_000, 0.9, 0)
                .vertex("map", 2, 2_500_000, 0.9, 0)
                .edge(IN, "map", "forward");
        MadeUpFlink two = full(5_000_000).vertex("Source: more", 2, 10, 0.1, 0).edge("Source: more", "map", "forward");
        for (MadeUpFlink each : List.of(rebalanced, others, two)) {
            each.cores = 2;
            each.usedCores = 1.95;
            assertThat(found(each)).isEmpty();
        }
    }

    @Test
    void shouldNotPutOnOneThreadWhatTwoDoFaster() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 1, 1_000_000, 0.5, 0.5)
                .vertex("map", 1, 1_000_000, 0.95, 0)
                .edge(IN, "map", "forward")
                .samples(IN, 0, 0, 200, 0, 0)
                .samples("map", 0, 0, 0, 250, 0);

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldChainWhereHandingOverIsMostOfTheWork() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 1, 1_000_000, 0.9, 0)
                .vertex("map", 1, 1_000_000, 0.9, 0)
                .edge(IN, "map", "forward")
                .samples(IN, 0, 0, 600, 0, 0)
                .samples("map", 0, 0, 0, 600, 0);

        List<Finding> found = found(job);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(1 / (2 - 1.2)));
    }

    @Test
    void shouldNotCountOnCoresThatTheThreadsLeftCannotUse() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 1, 1_000_000, 0.95, 0)
                .vertex("map", 1, 1_000_000, 0.9, 0)
                .edge(IN, "map", "forward")
                .samples(IN, 0, 0, 200, 0, 0)
                .samples("map", 0, 0, 0, 200, 0);
        job.cores = 2;
        job.usedCores = 1.85;

        assertThat(found(job)).isEmpty();
    }

    @Test
    void shouldFindItOnFullCoresAlsoIfNoTaskIsBusyAllTheTime() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 2, 1_000_000, 0.7, 0.3)
                .vertex("map", 2, 1_000_000, 0.8, 0)
                .edge(IN, "map", "forward")
                .samples(IN, 0, 0, 500, 0, 0)
                .samples("map", 0, 0, 0, 500, 0);
        job.cores = 2;
        job.usedCores = 1.95;

        List<Finding> found = found(job);

        assertThat(found).hasSize(1);
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(2));
    }

    @Test
    void shouldFindNothingWhereNobodyWaits() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex(IN, 2, 5_000_000, 0.4, 0.5)
                .vertex("map", 2, 5_000_000, 0.6, 0)
                .edge(IN, "map", "forward")
                .samples(IN, 0, 0, 900, 0, 0)
                .samples("map", 0, 0, 0, 900, 0);

        assertThat(found(job)).isEmpty();
    }
}
