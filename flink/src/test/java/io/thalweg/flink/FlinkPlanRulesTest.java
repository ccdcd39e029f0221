// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.contract.PlanRulesContract;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plans of topologies on Flink. */
@Tag("integration")
final class FlinkPlanRulesTest extends PlanRulesContract {
    private final RunSettings settings = RunSettings.defaults().withParallelism(2);

    @Override
    protected Runner runner() {
        return FlinkRunner.inThisJvm(settings);
    }

    private static TopologyGraph negated() {
        Topology topology = Topology.named("negated");
        topology.from(Sources.generate(10, n -> n))
                .map(n -> n + 1)
                .map(n -> -n)
                .name("negative")
                .to(Sinks.discard());
        return topology.graph();
    }

    @Test
    void shouldSayWhatSlotSharingGroupsKeepApart() {
        SlotSharingGroup own = SlotSharingGroup.newBuilder("own").build();

        String text = FlinkRunner.inThisJvm(settings)
                .withSlotSharing(Map.of("negative", own))
                .explain(negated());

        assertThat(text)
                .contains("2 chains, 4 tasks")
                .containsPattern("map -> negative .* not fused: they are in different slot sharing groups")
                .containsPattern("negative -> sink .* fused");
    }

    @Test
    void shouldRefuseToPutAnOperatorThatIsNotThereIntoASlotSharingGroup() {
        SlotSharingGroup own = SlotSharingGroup.newBuilder("own").build();
        FlinkRunner runner = FlinkRunner.inThisJvm(settings).withSlotSharing(Map.of("negativ", own));

        assertThatThrownBy(() -> runner.start(negated()))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'negated': there is no operator 'negativ' to put into slot sharing group 'own';"
                        + " did you mean negative?");
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
