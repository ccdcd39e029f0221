// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import org.junit.jupiter.api.Test;

final class TunedGraphTest {
    private static TopologyGraph graph() {
        Topology topology = Topology.named("tuned");
        topology.from(Sources.of(1L, 2L))
                .map(value -> value + 1)
                .name("plus")
                .isolate()
                .shuffle()
                .map(value -> value * 2)
                .name("times")
                .limit(1)
                .name("first")
                .to(Sinks.<Long>table("all"));
        return topology.graph();
    }

    private static Node node(TopologyGraph graph, String name) {
        return graph.nodes().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldChangeOneOperatorAndNothingElse() {
        TopologyGraph before = graph();
        TopologyGraph after = TunedGraph.withIsolated(TunedGraph.withParallelism(before, "plus", 3), "plus", false);

        assertThat(node(before, "plus").isolated()).isTrue();
        assertThat(node(after, "plus").isolated()).isFalse();
        assertThat(node(after, "plus").parallelism()).isEqualTo(3);
        assertThat(node(after, "plus").spec()).isSameAs(node(before, "plus").spec());
        assertThat(node(after, "times")).isEqualTo(node(before, "times"));
        assertThat(after.edges()).isEqualTo(before.edges());
    }

    @Test
    void shouldTakeAwayAShuffleAndAddOne() {
        TopologyGraph without = TunedGraph.withShuffle(graph(), "times", false);
        Edge edge = without.inputsOf(node(without, "times")).get(0);

        assertThat(edge.grouping()).isEqualTo(new Grouping.Auto());
        assertThat(TunedGraph.withShuffle(without, "times", true).edges()).isEqualTo(graph().edges());
        assertThatThrownBy(() -> TunedGraph.withShuffle(without, "times", false))
                .hasMessageContaining("no input of 'times' is shuffled");
        assertThatThrownBy(() -> TunedGraph.withShuffle(graph(), "times", true))
                .hasMessageContaining("no input of 'times' can be shuffled");
    }

    @Test
    void shouldRefuseWhatWouldBeAnotherJob() {
        assertThatThrownBy(() -> TunedGraph.withParallelism(graph(), "plsu", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("did you mean plus?");
        assertThatThrownBy(() -> TunedGraph.withParallelism(graph(), "first", 2))
                .hasMessageContaining("'first' runs in 1 task, not in 2");
        String sink = graph().nodes().get(graph().nodes().size() - 1).name();
        assertThatThrownBy(() -> TunedGraph.withParallelism(graph(), sink, 2)).hasMessageContaining("1 task");
    }

    @Test
    void shouldReplaceSinksOnly() {
        TopologyGraph after = TunedGraph.withSinks(graph(), (node, sink) -> {
            assertThat(sink.name()).contains("all");
            return Sinks.discard();
        });

        assertThat(after.nodes().stream().filter(each -> each.spec().sink() != null))
                .hasSize(1)
                .first()
                .satisfies(node -> assertThat(node.parallelism()).isEqualTo(1));
    }
}
