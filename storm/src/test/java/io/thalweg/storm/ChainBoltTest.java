// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.engine.HostedSettings;
import io.thalweg.run.BadLimit;
import io.thalweg.run.Tolerance;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A bolt of which tuples are lost on their way: Storm drops what it cannot send, and tells nobody. */
@Timeout(600)
final class ChainBoltTest {
    private static final int FIRST_SPOUT = 2;
    private static final int SECOND_SPOUT = 3;

    private final String job = UUID.randomUUID().toString();
    private final TopologyGraph graph = graph();
    private final HostedPlan plan = new HostedPlan(graph, 2);
    private final LocalControlChannel channel = new LocalControlChannel(job, "gaps", HostedOrders.first(0));
    private final List<ControlMessage> notes = new ArrayList<>();

    private static TopologyGraph graph() {
        Topology topology = Topology.named("gaps");
        topology.from(Sources.generate(10, n -> n)).shuffle().map(n -> n).to(Sinks.discard());
        return topology.graph();
    }

    @AfterEach
    void forget() {
        channel.forget();
    }

    private ChainBolt bolt(boolean acked) {
        return bolt(acked, 1);
    }

    private ChainBolt bolt(boolean acked, int batch) {
        HostedSettings settings = new HostedSettings(
                2, true, false, BadLimit.half(), 1, Guarantee.NONE, acked, false, 0, null, Tolerance.NONE, "run");
        JobDescriptor descriptor = new JobDescriptor(
                job,
                "",
                JobDescriptor.write(graph),
                settings,
                plan.splits(settings),
                true,
                "",
                Duration.ZERO,
                Duration.ZERO,
                1,
                0);
        Map<Integer, String> components = Map.of(
                1,
                TaskHost.WATCH,
                FIRST_SPOUT,
                TaskHost.component(0),
                SECOND_SPOUT,
                TaskHost.component(0),
                4,
                TaskHost.component(1),
                5,
                TaskHost.component(1));
        Map<String, List<Integer>> tasks = Map.of(
                TaskHost.WATCH,
                List.of(1),
                TaskHost.component(0),
                List.of(FIRST_SPOUT, SECOND_SPOUT),
                TaskHost.component(1),
                List.of(4, 5));
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, batch);
        TopologyContext context = new TopologyContext(
                Wiring.topology(plan, descriptor, null),
                conf,
                components,
                tasks,
                Map.of(),
                Map.of(),
                "gaps-1-17",
                "",
                "",
                4,
                6700,
                List.of(4),
                Map.of(),
                Map.of(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(),
                new StormMetricRegistry());
        ChainBolt bolt = new ChainBolt(descriptor, 1, List.of());
        bolt.prepare(conf, context, new OutputCollector(new Notes()));
        return bolt;
    }

    private static Tuple tuple(int from, Object item) {
        return (Tuple) Proxy.newProxyInstance(
                Tuple.class.getClassLoader(),
                new Class<?>[] {Tuple.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getValue" -> item;
                    case "getSourceTask" -> from;
                    case "getSourceComponent" -> TaskHost.component(0);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private Tuple record(int from, long number) {
        HostedPlan.Link link = plan.links().get(0);
        return tuple(from, TupleValue.record(link.number(), number, number, link.codec(), 0, 0));
    }

    private Tuple mark(int from, int kind, long number) {
        return tuple(from, TupleValue.mark(kind, plan.links().get(0).number(), number, 0));
    }

    private List<String> lost() {
        return notes.stream()
                .filter(each -> each.kind() == ControlMessage.Kind.LOST)
                .map(ControlMessage::text)
                .toList();
    }

    @Test
    void shouldTell_whereTuplesAreLost() {
        ChainBolt bolt = bolt(false);
        bolt.execute(record(FIRST_SPOUT, 1));
        bolt.execute(record(SECOND_SPOUT, 1));
        bolt.execute(mark(FIRST_SPOUT, TupleValue.NUDGE, 0));
        bolt.execute(mark(FIRST_SPOUT, TupleValue.WATERMARK, 2));
        bolt.execute(record(FIRST_SPOUT, 3));
        assertThat(lost()).isEmpty();

        bolt.execute(record(SECOND_SPOUT, 3));
        bolt.execute(record(SECOND_SPOUT, 4));
        assertThat(lost())
                .containsExactly("topology 'gaps': tuples from chain-0 to task 'map+sink[0]' were lost, as where a"
                        + " connection between two workers broke");
        bolt.cleanup();
    }

    /** Such as the end of the input, after which nothing would come. */
    @Test
    void shouldTell_whereTheLastTupleIsLost() {
        ChainBolt bolt = bolt(false);
        bolt.execute(record(FIRST_SPOUT, 1));
        bolt.execute(mark(FIRST_SPOUT, TupleValue.NUDGE, 2));
        assertThat(lost()).isEmpty();
        bolt.execute(mark(FIRST_SPOUT, TupleValue.NUDGE, 4));
        assertThat(lost()).hasSize(1);
        bolt.cleanup();
    }

    /** A full queue of Storm's leaves a part of a batch behind, and takes what comes after it. */
    @Test
    void shouldPutTuplesInOrder_whereBatchesAreOn() {
        ChainBolt bolt = bolt(false, 100);
        bolt.execute(record(FIRST_SPOUT, 1));
        bolt.execute(mark(FIRST_SPOUT, TupleValue.END, 4));
        bolt.execute(record(FIRST_SPOUT, 3));
        bolt.execute(record(SECOND_SPOUT, 1));
        bolt.execute(mark(SECOND_SPOUT, TupleValue.END, 2));
        assertThat(drained()).isZero();
        bolt.execute(record(FIRST_SPOUT, 2));
        assertThat(drained()).isOne();
        assertThat(lost()).isEmpty();
        bolt.cleanup();
    }

    private long drained() {
        return notes.stream()
                .filter(each -> each.kind() == ControlMessage.Kind.DRAINED)
                .count();
    }

    /** The job waits for it. */
    @Test
    void shouldSayAgainThatItHasDrained() {
        ChainBolt bolt = bolt(false);
        bolt.execute(mark(FIRST_SPOUT, TupleValue.END, 1));
        bolt.execute(mark(SECOND_SPOUT, TupleValue.END, 1));
        assertThat(drained()).isOne();
        bolt.execute(tuple(-1, 1L)); // Storm's tick
        bolt.execute(tuple(-1, 1L));
        assertThat(drained()).isEqualTo(3);
        bolt.cleanup();
    }

    /** What is not acked comes again. */
    @Test
    void shouldTakeTuplesInAnyOrder_whereTheyAreAcked() {
        ChainBolt bolt = bolt(true);
        bolt.execute(record(FIRST_SPOUT, 3));
        bolt.execute(record(FIRST_SPOUT, 1));
        assertThat(lost()).isEmpty();
        bolt.cleanup();
    }

    @Test
    void shouldKeepTheirNumbers_betweenWorkers() {
        TupleValue.KryoSerializer serializer = new TupleValue.KryoSerializer();
        Kryo kryo = new Kryo();
        Output out = new Output(1_000);
        serializer.write(kryo, out, TupleValue.mark(TupleValue.BARRIER, 7, 1_000_000_000_000L, 5));
        HostedPlan.Link link = plan.links().get(0);
        serializer.write(kryo, out, TupleValue.record(3, 12, 11L, link.codec(), 9, 8));

        Input in = new Input(out.toBytes());
        TupleValue barrier = serializer.read(kryo, in, TupleValue.class);
        assertThat(barrier.number).isEqualTo(1_000_000_000_000L);
        assertThat(barrier.link).isEqualTo(7);
        assertThat(barrier.time).isEqualTo(5);
        TupleValue record = serializer.read(kryo, in, TupleValue.class);
        assertThat(record.number).isEqualTo(12);
        assertThat(record.value(link.codec())).isEqualTo(11L);
        assertThat(record.time).isEqualTo(9);
        assertThat(record.stamp).isEqualTo(8);
    }

    private final class Notes implements IOutputCollector {
        @Override
        public List<Integer> emit(String stream, Collection<Tuple> anchors, List<Object> tuple) {
            if (tuple.get(0) instanceof ControlMessage message) {
                notes.add(message);
            }
            return List.of();
        }

        @Override
        public void emitDirect(int task, String stream, Collection<Tuple> anchors, List<Object> tuple) {}

        @Override
        public void ack(Tuple input) {}

        @Override
        public void fail(Tuple input) {}

        @Override
        public void resetTimeout(Tuple input) {}

        @Override
        public void flush() {}

        @Override
        public void reportError(Throwable error) {}
    }
}
