// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.finding.Finding;
import io.thalweg.doctor.finding.Gain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies and Kryo in the stacks of what a job of Flink waits for. */
final class FlinkStacksRuleTest {
    private static final String ALL = "Source: in -> map -> out: Writer";

    /** Two tasks that keep two cores busy. */
    private static MadeUpFlink chained(String name) {
        MadeUpFlink job = new MadeUpFlink().vertex(name, 2, 100_000, 0.98, 0);
        job.cores = 2;
        job.usedCores = 1.96;
        return job;
    }

    private static Finding only(MadeUpFlink job) {
        List<Finding> found = Rules.findings(job.facts());
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static void findsNothing(MadeUpFlink job) {
        assertThat(Rules.findings(job.facts())).isEmpty();
    }

    @Test
    void shouldPredictWhatCopiesTakeOfTheCores() {
        Finding found = only(chained(ALL).samples(ALL, 300, 0, 0, 0, 0));

        assertThat(found.rule()).isEqualTo("object-reuse");
        assertThat(found.operator()).isEqualTo(ALL);
        assertThat(found.option()).isEqualTo("pipeline.object-reuse: true");
        assertThat(found.predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.3)));
        assertThat(found.evidence()).anySatisfy(figure -> {
            assertThat(figure.name()).isEqualTo("of the time of its tasks in copying records");
            assertThat(figure.value()).isEqualTo(29);
        });
    }

    @Test
    void shouldPredictNoMoreThanTheNextTaskLeaves() {
        MadeUpFlink job = new MadeUpFlink()
                .vertex("Source: in", 1, 100_000, 0.7, 0.3)
                .vertex("map -> out", 1, 100_000, 0.95, 0)
                .edge("Source: in", "map -> out", "rebalance")
                .samples("map -> out", 400, 0, 0, 0, 0);

        List<Finding> found = new FlinkStacksRule().findings(job.facts());

        assertThat(found).hasSize(1);
        assertThat(found.get(0).predictedGain()).isEqualTo(Gain.throughput(0.95 / 0.7));
    }

    @Test
    void shouldFindNothingInCopiesThatTakeLittle_orInAJobThatHasTime() {
        findsNothing(chained(ALL).samples(ALL, 90, 90, 0, 0, 0));

        MadeUpFlink idle = new MadeUpFlink().vertex(ALL, 2, 100_000, 0.5, 0).samples(ALL, 300, 300, 0, 0, 0);
        findsNothing(idle);

        MadeUpFlink keepsUp = new MadeUpFlink().vertex(ALL, 3, 100_000, 0.7, 0).samples(ALL, 300, 300, 0, 0, 0);
        keepsUp.cores = 2;
        keepsUp.usedCores = 1.95;
        findsNothing(keepsUp);
    }

    @Test
    void shouldNotAdviseWhatIsSetOrCannotHelp() {
        MadeUpFlink set = chained(ALL).samples(ALL, 300, 0, 0, 0, 0);
        set.objectReuse = true;
        findsNothing(set);

        findsNothing(chained("Source: in").samples("Source: in", 300, 0, 0, 0, 0));
    }

    /** It is a source to Flink, and what it waits for is at its end. */
    @Test
    void shouldFindASinkThatIsChainedToItsSource() {
        MadeUpFlink job = new MadeUpFlink().vertex(ALL, 2, 5_000, 0.99, 0).writing(ALL, 900);
        job.usedCores = 0.1;

        Finding found = only(job);

        assertThat(found.rule()).isEqualTo("slow-sink");
        assertThat(found.operator()).isEqualTo(ALL);
        MadeUpFlink computes = new MadeUpFlink().vertex(ALL, 2, 5_000, 0.99, 0).writing(ALL, 400);
        computes.usedCores = 2;
        assertThat(only(computes).rule()).isEqualTo("parallelism");
        findsNothing(new MadeUpFlink().vertex(ALL, 2, 5_000, 0.5, 0).writing(ALL, 900));
    }

    @Test
    void shouldNotJudgeByAHandfulOfSamples() {
        MadeUpFlink job = chained(ALL);
        job.allSamples = 24;
        findsNothing(job.samples(ALL, 20, 20, 0, 0, 0));
    }

    @Test
    void shouldSayThatNothingIsSeenWithoutStacks() {
        MadeUpFlink job = chained(ALL);
        job.flameGraphs = false;

        findsNothing(job);
        assertThat(BoundOf.of(job.facts()).text())
                .startsWith("2 cores; 100 % in the source '" + ALL + "'")
                .endsWith("rest.flamegraph.enabled is off");

        job.flameGraphs = null;
        assertThat(BoundOf.of(job.facts()).text()).doesNotContain("flamegraph");
        job.flameGraphs = true;
        assertThat(BoundOf.of(job.facts()).text()).doesNotContain("flamegraph");
    }

    @Test
    void shouldPredictThatOtherSerializersTakeAHalfToAQuarterOfWhatKryoTakes() {
        Finding found = only(chained("Source: in").samples("Source: in", 0, 400, 0, 0, 0));

        assertThat(found.rule()).isEqualTo("generic-serialization");
        assertThat(found.option()).isNull();
        assertThat(found.predictedGain()).isEqualTo(Gain.throughput(1 / (1 - 0.2), 1 / (1 - 0.3)));
    }

    @Test
    void shouldFindBothInOneVertex() {
        List<Finding> found =
                Rules.findings(chained(ALL).samples(ALL, 400, 400, 0, 0, 0).facts());

        assertThat(found).extracting(Finding::rule).containsExactly("object-reuse", "generic-serialization");
    }
}
