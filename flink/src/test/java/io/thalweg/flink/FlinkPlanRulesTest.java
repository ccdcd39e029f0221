// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.PlanRulesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Plans of topologies on Flink. */
final class FlinkPlanRulesTest extends PlanRulesContract {
    private final RunSettings settings = RunSettings.defaults().withParallelism(2);

    @Override
    protected Runner runner() {
        return FlinkRunner.inThisJvm(settings);
    }

    @Test
    void shouldBePrintedAsOnEveryRoad() {
        Topology topology = Topology.named("sums");
        topology.from(Sources.generate(10, n -> n))
                .name("numbers")
                .shuffle()
                .map(n -> new Reading("Inn", n))
                .to(Sinks.discard());

        assertThat(FlinkRunner.inThisJvm(
                                settings.withAcks(AckSettings.defaults(), CheckpointSettings.in(Path.of("kept"))))
                        .explain(topology.graph()))
                .isEqualTo("""
                        topology sums on Flink 2.3.0: 2 chains, 4 tasks

                        chain 0: 2 tasks
                          numbers   source generator of Long

                        chain 1: 2 tasks
                          map
                          sink   sink discard

                        edges
                          numbers -> map   shuffle   2 to 2   Long (Flink's serializer)   not fused: each record goes to the next task in turn
                          map -> sink      forward   2 to 2   Reading (RecordCodec)       fused

                        options
                          guarantee             at-least-once (Flink has no acks for single records, so acked becomes at-least-once)
                          checkpoint-dir        kept
                          checkpoint-interval   10000 ms
                          checkpoint-timeout    600000 ms
                        """);
    }
}
