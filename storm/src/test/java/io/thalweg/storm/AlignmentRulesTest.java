// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.AlignmentRulesContract;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Aligned splits on a LocalCluster: of one task alone. */
@Tag("integration")
final class AlignmentRulesTest extends AlignmentRulesContract {
    @Override
    protected Runner runner() {
        return StormRunner.local(RunSettings.defaults().withParallelism(1), 1);
    }

    @Test
    void shouldRefuseToAlignTheSplitsOfSeveralTasks() {
        Topology topology = Topology.named("apart");
        topology.from(Sources.of(1L, 2L))
                .parallelism(2)
                .eventTime(time -> time, Duration.ZERO)
                .alignedWithin(Duration.ofMinutes(1))
                .name("timed")
                .parallelism(2)
                .to(Sinks.discard());

        assertThatThrownBy(() -> StormRunner.local(RunSettings.defaults(), 1).start(topology.graph()))
                .hasMessageContaining("operator 'timed'")
                .hasMessageContaining("there are 2 tasks");
    }
}
