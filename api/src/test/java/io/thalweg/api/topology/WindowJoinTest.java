// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.CoGroup;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What graph comes of two streams that are joined by windows, and what is refused. */
final class WindowJoinTest {
    record Call(long cell, long time) {}

    record Fault(Integer code, long cell, long time) {}

    record Both(long calls, long faults) {}

    private static final WindowSpec HOUR = Windows.tumbling(Duration.ofHours(1));

    private final Topology topology = Topology.named("cells");
    private final Stream<Call> untimedCalls =
            topology.from(Sources.of(new Call(1, 1))).name("calls");
    private final Stream<Fault> untimedFaults =
            topology.from(Sources.of(new Fault(1, 1, 1))).name("faults");

    private WindowJoinedStreams<Long, Call, Fault> hourly() {
        return untimedCalls
                .eventTime(Call::time, Duration.ZERO)
                .name("call times")
                .join(untimedFaults.eventTime(Fault::time, Duration.ZERO).name("fault times"))
                .where(Call::cell)
                .equalTo(Fault::cell)
                .window(HOUR);
    }

    private static List<Both> both(CoGroup<Long, Call, Fault> group) {
        return List.of(new Both(group.left().size(), group.right().size()));
    }

    private Node join(String name) {
        return topology.graph().nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldLeadEachStreamToItsInput() {
        hourly().right((call, fault) -> new Both(call == null ? 0 : 1, 1)).to(Sinks.discard());

        TopologyGraph graph = topology.graph();
        Node join = join("window-join");
        assertThat(join.output()).isEqualTo(Type.of(Both.class));
        assertThat(join.timed()).isTrue();
        assertThat(join.spec().stateful()).isTrue();
        assertThat(join.spec().describe()).isEqualTo("right join, tumbling 3600000 ms");
        assertThat(graph.inputsOf(join)).extracting(Edge::input).containsExactly(0, 1);
        assertThat(graph.inputsOf(join))
                .extracting(edge -> graph.node(edge.from()).name())
                .containsExactly("call times", "fault times");
    }

    @Test
    void shouldReadTheResultsOfACoGroupFromItsFunction() {
        hourly().coGroup(WindowJoinTest::both).to(Sinks.discard());

        assertThat(join("co-group").output()).isEqualTo(Type.of(Both.class));
        assertThat(join("co-group").spec().describe()).isEqualTo("co-group, tumbling 3600000 ms");
    }

    @Test
    void shouldNeedEventTimeOnlyIfWindowsDo() {
        KeyedJoin<Long, Call, Fault> keyed =
                untimedCalls.join(untimedFaults).where(Call::cell).equalTo(Fault::cell);
        keyed.window(Windows.whole()).coGroup(WindowJoinTest::both).to(Sinks.discard());
        assertThat(join("co-group").timed()).isFalse();

        keyed.window(HOUR).coGroup(WindowJoinTest::both).to(Sinks.discard());
        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'cells', operator 'co-group-2': it joins by event time, which both streams need;"
                        + " give each of its sources eventTime(…) before the first grouping");
    }

    /** The compiler refuses them, unless somebody casts. */
    @Test
    void shouldRefuseKeysThatAreNeverEqual() {
        NullableFunction<Fault, Integer> code = Fault::code;
        NullableFunction<Fault, Long> said = Stream.cast(code);
        KeyedJoin<Long, Call, Fault> join =
                untimedCalls.join(untimedFaults).where(Call::cell).equalTo(said);

        assertThatThrownBy(() -> join.window(HOUR))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("operator 'window-join': the key of the left stream is a Long (Call::cell)"
                        + " and the key of the right stream a Integer (Fault::code): they would never be equal");
    }

    @Test
    void shouldRefuseASideOutputThatNobodyEmitsTo() {
        hourly().inner((call, fault) -> new Both(1, 1))
                .side(SideOutput.of("late", Call.class))
                .to(Sinks.discard());

        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("operator 'window-join'")
                .hasMessageContaining(
                        "its late records go nowhere; add lateLeftTo(…) or lateRightTo(…) after window(…)");
    }
}
