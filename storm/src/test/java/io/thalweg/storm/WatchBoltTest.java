// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The watch bolt of a job on a cluster, without workers. */
@Timeout(600)
final class WatchBoltTest {
    @TempDir
    private Path folder;

    private static TopologyGraph graph() {
        Topology topology = Topology.named("watched");
        topology.from(Sources.generate(10, n -> n)).to(Sinks.discard());
        return topology.graph();
    }

    private static TopologyContext context(StormTopology topology, Map<String, Object> conf) {
        return new TopologyContext(
                topology,
                conf,
                Map.of(1, TaskHost.WATCH, 2, TaskHost.component(0)),
                Map.of(TaskHost.WATCH, List.of(1), TaskHost.component(0), List.of(2)),
                Map.of(),
                Map.of(),
                "watched-1-17",
                "",
                "",
                1,
                6700,
                List.of(1, 2),
                Map.of(),
                Map.of(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(),
                new StormMetricRegistry());
    }

    private static JobDescriptor descriptor(String job, String before) {
        HostedSettings settings = new HostedSettings(
                1, true, false, BadLimit.half(), 1, Guarantee.NONE, false, false, 0, null, Tolerance.NONE, "run");
        return new JobDescriptor(
                job,
                before,
                JobDescriptor.write(graph()),
                settings,
                Map.of(),
                false,
                "",
                Duration.ZERO,
                Duration.ZERO,
                1,
                0);
    }

    /** Starts a watch bolt, which dies before it gives orders. */
    private static void begin(JobDescriptor descriptor, Map<String, Object> conf) {
        WatchBolt bolt = new WatchBolt(descriptor);
        StormTopology topology = Wiring.topology(new HostedPlan(graph(), 1), descriptor, null);
        bolt.prepare(conf, context(topology, conf), new OutputCollector(new Nowhere()));
        bolt.cleanup();
    }

    /** Numbers its messages again from the start, otherwise, and the client waits for others. */
    @Test
    void shouldBeKnownToItsSuccessor_thoughItDiedBeforeItGaveOrders() throws Exception {
        JobDescriptor descriptor = descriptor("id", "");
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            begin(descriptor, conf);

            try (ControlChannel second = ControlChannel.of(descriptor, conf)) {
                assertThat(second.begunBefore()).isTrue();
                assertThat(second.orders().version()).isZero();
            }
        }
    }

    /** Each attempt left nodes behind, for ever; those of the last one keep a worker of it that is just started from beginning again. */
    @Test
    void shouldLeaveInZooKeeper_onlyWhatItAndTheAttemptBeforeNeed() throws Exception {
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            begin(descriptor("first", ""), conf);
            begin(descriptor("second", "first"), conf);
            begin(descriptor("third", "second"), conf);

            try (ControlChannel first = ControlChannel.of(descriptor("first", ""), conf);
                    ControlChannel second = ControlChannel.of(descriptor("second", "first"), conf);
                    ControlChannel third = ControlChannel.of(descriptor("third", "second"), conf)) {
                assertThat(first.begunBefore()).isFalse();
                assertThat(second.begunBefore()).isTrue();
                assertThat(third.begunBefore()).isTrue();
            }
        }
    }

    private static Tuple tuple(ControlMessage message) {
        return (Tuple) Proxy.newProxyInstance(
                Tuple.class.getClassLoader(), new Class<?>[] {Tuple.class}, (proxy, of, with) -> {
                    if (!of.getName().equals("getValue")) {
                        throw new UnsupportedOperationException(of.getName());
                    }
                    return message;
                });
    }

    private static void shouldHaveGivenUp(JobDescriptor descriptor, Map<String, Object> conf) {
        try (ControlChannel channel = ControlChannel.of(descriptor, conf)) {
            HostedOrders orders = channel.orders();
            assertThat(orders.version()).isPositive();
            assertThat(orders.cancelled()).isTrue();
            assertThat(orders.stopAt()).isZero();
            assertThat(orders.mayCommit()).isFalse();
        }
    }

    /** Where its client is gone, nobody kills it, and it would read and write for ever, beside a job that follows. */
    @Test
    void shouldHaveSourcesStop_whereAJobHasFailedOrAWorkerHasDied() throws Exception {
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            JobDescriptor failed = descriptor("failed", "");
            WatchBolt bolt = new WatchBolt(failed);
            StormTopology topology = Wiring.topology(new HostedPlan(graph(), 1), failed, null);
            bolt.prepare(conf, context(topology, conf), new OutputCollector(new Nowhere()));
            bolt.execute(tuple(ControlMessage.of(ControlMessage.Kind.FAILED, 0, 1, "broken")));
            bolt.cleanup();
            shouldHaveGivenUp(failed, conf);

            begin(descriptor("died", ""), conf);
            begin(descriptor("died", ""), conf);
            shouldHaveGivenUp(descriptor("died", ""), conf);
        }
    }

    /** A job of one task, which is open. */
    private static WatchBolt opened(JobDescriptor descriptor, Map<String, Object> conf) {
        WatchBolt bolt = new WatchBolt(descriptor);
        StormTopology topology = Wiring.topology(new HostedPlan(graph(), 1), descriptor, null);
        bolt.prepare(conf, context(topology, conf), new OutputCollector(new Nowhere()));
        bolt.execute(tuple(new ControlMessage(ControlMessage.Kind.OPENED, 0, 1, 1, "", new byte[0])));
        return bolt;
    }

    /** A task that has drained says so each second; what it has saved, once. */
    @Test
    void shouldNotWaitForALastState_thatWasLost() throws Exception {
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            JobDescriptor saves = descriptor("saves", "");
            WatchBolt bolt = opened(saves, conf);
            Tuple drained = tuple(new ControlMessage(ControlMessage.Kind.DRAINED, 0, 1, 1, "", new byte[0]));
            for (int told = 0; told < 60; told++) {
                bolt.execute(drained);
            }
            try (ControlChannel channel = ControlChannel.of(saves, conf)) {
                assertThat(channel.orders().cancelled()).isFalse();
            }
            bolt.execute(drained);
            bolt.cleanup();
            shouldHaveGivenUp(saves, conf);
        }
    }

    @Test
    void shouldTakeTheEndOfATask_thatIsToldMoreThanOnce() throws Exception {
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            JobDescriptor ends = descriptor("ends", "");
            WatchBolt bolt = opened(ends, conf);
            for (ControlMessage.Kind kind : List.of(
                    ControlMessage.Kind.DRAINED,
                    ControlMessage.Kind.DRAINED,
                    ControlMessage.Kind.COMMITTED,
                    ControlMessage.Kind.COMMITTED)) {
                bolt.execute(tuple(ControlMessage.of(kind, 0, 1)));
            }
            bolt.cleanup();
            try (ControlChannel channel = ControlChannel.of(ends, conf)) {
                assertThat(channel.orders().mayCommit()).isTrue();
                assertThat(channel.orders().committed()).isOne();
                assertThat(channel.orders().cancelled()).isFalse();
            }
        }
    }

    /** ZooKeeper takes 60 connections of a machine. */
    @Test
    void shouldConnectToZooKeeperOnce_forAllTasksInAWorker() throws Exception {
        List<ControlChannel> tasks = new ArrayList<>();
        try (ZooKeeper keeper = new ZooKeeper(folder, 0)) {
            Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
            conf.putAll(keeper.settings());
            JobDescriptor wide = descriptor("wide", "");
            try {
                for (int task = 0; task < 100; task++) {
                    tasks.add(ControlChannel.of(wide, conf));
                }
                tasks.get(0).post(HostedOrders.first(7));
                assertThat(tasks)
                        .allSatisfy(each -> assertThat(each.begunBefore()).isFalse());
            } finally {
                tasks.forEach(ControlChannel::close);
            }
            try (ControlChannel next = ControlChannel.of(wide, conf)) {
                assertThat(next.begunBefore()).isTrue();
                assertThat(next.orders()).isEqualTo(HostedOrders.first(7));
            }
        }
    }

    private static HostedOrders orders(long version) {
        return new HostedOrders(version, 0, 0, Long.MAX_VALUE, true, true, false, false, 0, List.of());
    }

    /** Storm's workers run on meanwhile. */
    @Test
    void shouldGoOnByTheOrdersThatAreKnown_whileZooKeeperIsAway() throws Exception {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.STORM_ZOOKEEPER_RETRY_TIMES, 0);
        conf.put(Config.STORM_ZOOKEEPER_CONNECTION_TIMEOUT, 300);
        ZooKeeper keeper = new ZooKeeper(folder, 0);
        conf.putAll(keeper.settings());
        JobDescriptor follows = descriptor("follows", "");
        try (ControlChannel watch = ControlChannel.of(follows, conf)) {
            watch.post(orders(1));
            keeper.close();
            watch.post(orders(2));
            assertThat(watch.orders().version()).isEqualTo(2);
            keeper = new ZooKeeper(folder, (Integer) keeper.settings().get(Config.STORM_ZOOKEEPER_PORT));
            while (!isPosted(follows, conf, 2)) {
                watch.cancelled();
            }
        } finally {
            keeper.close();
        }
    }

    /** As another worker reads it. */
    private static boolean isPosted(JobDescriptor descriptor, Map<String, Object> conf, long version) {
        Map<String, Object> other = new HashMap<>(conf);
        other.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("localhost"));
        try (ControlChannel channel = ControlChannel.of(descriptor, other)) {
            return channel.orders().version() == version;
        } catch (RuntimeException e) {
            return false; // it is not ready yet
        }
    }

    private static final class Nowhere implements IOutputCollector {
        @Override
        public List<Integer> emit(String stream, Collection<Tuple> anchors, List<Object> tuple) {
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
