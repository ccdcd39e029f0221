// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.generated.ShellComponent;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.metric.LoggingMetricsConsumer;
import org.apache.storm.metric.api.CountMetric;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.FailedException;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is the door's alone: refusals, failures, the end, figures. */
@Timeout(900)
final class StormDoorTest {
    private static final Duration END = Duration.ofSeconds(1);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    private final Journal journal = new Journal();

    @AfterEach
    void end() {
        journal.forget();
    }

    private TopologyBuilder numbers(int many) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, many));
        return topology;
    }

    private static StormRun start(TopologyBuilder topology, Map<String, Object> conf) {
        Map<String, Object> all = new HashMap<>(conf);
        all.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // none fails because the machine was busy
        return StormDoor.of(topology.createTopology(), all).start(RunSettings.defaults());
    }

    @Test
    void shouldRunATopology() throws Exception {
        TopologyBuilder builder = numbers(100);
        builder.setBolt("count", new Script(journal, (tuple, scene) -> scene.collector.ack(tuple)), 2)
                .fieldsGrouping("numbers", new Fields("key"));
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600);
        // region door
        StormTopology topology = builder.createTopology(); // spouts and bolts as Storm has them
        StormRun run = StormDoor.of(topology, conf).start(RunSettings.defaults());
        // endregion
        journal.await("acked", 100);
        // region kill
        run.kill(Duration.ofSeconds(30)); // spouts are deactivated; what is pending has 30 seconds
        run.await();
        for (ComponentStats component : run.stats()) {
            System.out.println(component.component() + " acked " + component.acked());
        }
        // endregion
        ComponentStats spout = run.stats().get(1);
        assertThat(spout.component()).isEqualTo("numbers");
        assertThat(spout.spout()).isTrue();
        assertThat(List.of(spout.emitted(), spout.transferred(), spout.acked(), spout.failed()))
                .containsExactly(100L, 100L, 100L, 0L);
        ComponentStats bolt = run.stats().get(0);
        assertThat(List.of(bolt.executors(), bolt.tasks())).containsExactly(2, 2);
        assertThat(List.of(bolt.emitted(), bolt.executed(), bolt.acked(), bolt.failed()))
                .containsExactly(0L, 100L, 100L, 0L);
        assertThat(bolt.execute().mean()).isPositive();
        assertThat(bolt.process().mean()).isPositive();
        assertThat(spout.complete().mean()).isPositive();
        assertThat(bolt.capacity()).isBetween(0.0, 1.0);
        assertThat(run.pending()).isZero();
    }

    @Test
    void shouldEndWithTheExceptionOfABolt() {
        TopologyBuilder topology = numbers(10);
        topology.setBolt("breaks", new Script(journal, (tuple, scene) -> {
                    throw new IllegalStateException("no such table");
                }))
                .shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("breaks")
                .hasMessageContaining("no such table");
        journal.await("cleaned up", 1);
        journal.await("closed", 1);
    }

    @Test
    void shouldEndIfABoltEmitsToAStreamThatItHasNotDeclared() {
        TopologyBuilder topology = numbers(10);
        topology.setBolt(
                        "emits",
                        new Script(journal, (tuple, scene) -> scene.collector.emit("elsewhere", new Values(1))))
                .shuffleGrouping("numbers");
        assertThatThrownBy(start(topology, Map.of())::await)
                .hasMessageContaining("'emits' emits to stream 'elsewhere', which it has not declared");
    }

    @Test
    void shouldCountAndTellWhatABoltReports() throws Exception {
        TopologyBuilder topology = numbers(3);
        topology.setBolt("reports", new Script(journal, (tuple, scene) -> {
                    scene.collector.reportError(new IllegalStateException("number " + tuple.getInteger(0)));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        journal.await("acked", 3);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(run.stats().get(1).errors()).isEqualTo(3);
        assertThat(run.stats().get(1).lastError()).contains("number 2");
        assertThat(run.info().get_errors().get("reports"))
                .extracting(error -> error.get_error().lines().findFirst().orElse(""))
                .containsExactly(
                        "java.lang.IllegalStateException: number 2",
                        "java.lang.IllegalStateException: number 1",
                        "java.lang.IllegalStateException: number 0");
    }

    /** Once, however many there are. */
    @Test
    void shouldSayThatNobodyCollectsMetrics() throws Exception {
        TopologyBuilder topology = numbers(3);
        topology.setBolt("counts", new Measured(), 2).shuffleGrouping("numbers");
        Config conf = new Config();
        assertThat(warningsOf(topology, conf))
                .singleElement()
                .asString()
                .startsWith(
                        "topology 'storm': 'counts' registers the metric 'numbers', and nobody collects metrics here")
                .doesNotContain("\n");
        conf.registerMetricsConsumer(LoggingMetricsConsumer.class);
        assertThat(warningsOf(topology, conf))
                .singleElement()
                .asString()
                .startsWith(
                        "topology 'storm': it has metrics consumers (topology.metrics.consumer.register), and nobody");
    }

    @Test
    void shouldSayThatNobodyReportsMetrics() throws Exception {
        TopologyBuilder topology = numbers(3);
        topology.setBolt("counts", new Script(journal, (tuple, scene) -> {
                    scene.context
                            .registerCounter("number " + tuple.getInteger(0))
                            .inc();
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        Map<String, Object> conf = new HashMap<>();
        assertThat(warningsOf(topology, conf))
                .singleElement()
                .asString()
                .startsWith(
                        "topology 'storm': 'counts' registers the metric 'number 0', and nobody collects metrics here");
        conf.put(
                Config.TOPOLOGY_METRICS_REPORTERS,
                List.of(Map.of("class", "org.apache.storm.metrics2.reporters.ConsoleStormReporter")));
        assertThat(warningsOf(topology, conf))
                .singleElement()
                .asString()
                .startsWith("topology 'storm': it has metrics reporters (topology.metrics.reporters), and nobody");
    }

    @Test
    void shouldSayThatComponentsInJavaDoNotFindTheEnvironmentOfTheTopology() throws Exception {
        Map<String, Object> conf = new HashMap<>(Map.of(Config.TOPOLOGY_ENVIRONMENT, Map.of("CITY", "Linz")));
        assertThat(warningsOf(numbers(3), conf))
                .singleElement()
                .asString()
                .startsWith("topology 'storm' has topology.environment, which its child processes find");
        conf.put(Config.TOPOLOGY_ENVIRONMENT, Map.of());
        assertThat(warningsOf(numbers(3), conf)).isEmpty();
    }

    private List<String> warningsOf(TopologyBuilder topology, Map<String, Object> conf) throws Exception {
        List<String> warnings = new CopyOnWriteArrayList<>();
        int acked = journal.size("acked");
        StormRun run = StormDoor.of(topology.createTopology(), conf)
                .start(RunSettings.defaults().withWarnings(warnings::add));
        journal.await("acked", acked + 3);
        assertThat(run.stop(END, BUSY)).isTrue();
        return warnings;
    }

    /** Counts by metrics of the first version. */
    static final class Measured extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;
        private transient CountMetric numbers;

        @Override
        @SuppressWarnings("deprecation") // what old topologies call
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
            numbers = context.registerMetric("numbers", new CountMetric(), 1);
        }

        @Override
        public void execute(Tuple tuple) {
            numbers.incr();
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    @Test
    void shouldNotCountTicks() throws Exception {
        TopologyBuilder topology = numbers(3);
        topology.setBolt("ticks", new TickTock(journal))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        StormRun run = start(topology, Map.of());
        journal.await("acked", 3);
        journal.await("ticks", 2);
        assertThat(run.stop(END, BUSY)).isTrue();
        ComponentStats bolt = run.stats().get(1);
        assertThat(List.of(bolt.executed(), bolt.acked(), bolt.failed())).containsExactly(3L, 3L, 0L);
    }

    /** Acks all that it is given, as basic bolts do, ticks too, and fails the second tick. */
    static final class TickTock extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;

        TickTock(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (TupleUtils.isTick(tuple)) {
                Journal.of(journal).note("ticks", 1);
                if (Journal.of(journal).size("ticks") == 2) {
                    throw new FailedException("this one fails");
                }
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Whoever waits is interrupted, not the topology. */
    @Test
    void shouldRunOnAfterAnInterruptedWait() throws Exception {
        TopologyBuilder topology = numbers(40);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.await(
                            "the wait was interrupted",
                            () -> tuple.getInteger(0) < 20 || scene.journal.size("interrupted") > 0);
                    scene.context.getSharedExecutor().execute(() -> scene.journal.note("shared", tuple.getInteger(0)));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        journal.await("shared", 20);
        Thread.currentThread().interrupt();
        assertThatThrownBy(run::await).isInstanceOf(InterruptedException.class);
        journal.note("interrupted", 1);
        journal.await("acked", 40);
        journal.await("shared", 40);
        assertThat(run.stop(END, BUSY)).isTrue();
    }

    /** An exception there would let a ShellBolt end the process. */
    @Test
    void shouldCountWhatAThreadOfABoltEmitsTooLate() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 1).withoutIds());
        topology.setBolt(
                        "late",
                        new Script(journal, (tuple, scene) -> {
                                    Thread late = new Thread(() -> {
                                        scene.journal.await(
                                                "the end of both", () -> scene.journal.size("cleaned up") > 1);
                                        try {
                                            scene.collector.emit(new Values(1));
                                            scene.journal.note("late", "dropped");
                                        } catch (RuntimeException e) {
                                            scene.journal.note("late", e);
                                        }
                                    });
                                    late.setDaemon(true);
                                    late.start();
                                    scene.collector.ack(tuple);
                                    if (scene.journal.counter("fails").get() > 0) {
                                        throw new IllegalStateException("no such table");
                                    }
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {})).shuffleGrouping("late");
        journal.counter("fails").set(1);
        StormRun run = start(topology, Map.of());
        assertThatThrownBy(run::await).hasMessageContaining("no such table");
        journal.await("late", 1);
        assertThat(journal.page("late")).containsExactly("dropped");
        assertThat(run.dropped()).isEqualTo(1);
    }

    /** Nothing is pending without ids, so nobody else would know of them. A bolt without threads of its own may keep what it likes. */
    @Test
    void shouldCountWhatAThreadOfABoltHasNotAckedAtTheEnd() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 20).withoutIds());
        topology.setBolt(
                        "keeps",
                        new Script(journal, (tuple, scene) -> {
                                    if (tuple.getInteger(0) % 4 == 0) {
                                        scene.collector.ack(tuple);
                                    }
                                    if (tuple.getInteger(0) == 19) {
                                        new Thread(() -> scene.collector.emit(new Values(1))).start();
                                    }
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> scene.journal.note("end", 1)))
                .shuffleGrouping("keeps");
        StormRun run = start(topology, Map.of());
        journal.await("end", 1);
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertThat(run.unacked()).isEqualTo(Map.of("keeps", 15L));
        assertThat(List.of(run.pending(), run.dropped())).containsExactly(0L, 0L);
    }

    /** A bolt need not ack then, as on Storm: nobody can tell what it still has in hand. */
    @Test
    void shouldNotWaitForAThreadOfABoltThatAcksNothing_withoutAckers() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 20));
        topology.setBolt(
                        "keeps",
                        new Script(journal, (tuple, scene) -> {
                                    if (tuple.getInteger(0) == 19) {
                                        new Thread(() -> scene.collector.emit(new Values(1))).start();
                                    }
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> scene.journal.note("end", 1)))
                .shuffleGrouping("keeps");
        StormRun run = start(topology, Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0));
        journal.await("end", 1);
        assertThat(run.stop(Duration.ofDays(1), BUSY)).isTrue();
        assertThat(run.unacked()).isEmpty();
        assertThat(journal.size("acked")).isEqualTo(20);
    }

    /** As on Storm, where it is no other without credentials. */
    @Test
    void shouldGiveNoCredentials_beforeABoltIsPrepared() throws Exception {
        TopologyBuilder topology = numbers(1);
        topology.setBolt("listens", new Listening(journal)).shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        journal.await("acked", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("user")).containsExactly("nobody");
    }

    /** Needs credentials, or to be told that there are none. */
    static final class Listening extends BaseRichBolt implements ICredentialsListener {
        private static final long serialVersionUID = 1L;
        private final String journal;
        private transient Map<String, String> credentials;
        private transient OutputCollector collector;

        Listening(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void setCredentials(Map<String, String> its) {
            credentials = its;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
            Journal.of(journal).note("user", credentials.getOrDefault("user", "nobody"));
        }

        @Override
        public void execute(Tuple tuple) {
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** By the time that the user of a topology can give. */
    @Test
    void shouldSayWhatWaitsLongerForTuplesThatAreDropped() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Stuck.latch = end;
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 50).withoutIds());
        topology.setBolt("stuck", new Script(journal, (tuple, scene) -> Stuck.await(scene.journal)))
                .shuffleGrouping("numbers");
        List<String> warnings = new CopyOnWriteArrayList<>();
        StormRun run = StormDoor.of(topology.createTopology(), Map.of())
                .start(RunSettings.defaults().withStopTimeout(Duration.ZERO).withWarnings(warnings::add));
        journal.await("emitted", 50);
        journal.await("stuck", 1);
        assertThat(run.stop(Duration.ZERO, Duration.ofMillis(1))).isFalse();
        end.countDown();
        assertThat(run.job().await(BUSY)).isTrue();
        assertThat(warnings)
                .singleElement()
                .asString()
                .contains(" in flight w", " dropped, before task 'stuck")
                .endsWith("; --wait (from Java, StormRun.stop) waits longer for them");
    }

    /** The ticks tell that the topology runs. */
    @Test
    void shouldBeginDeactivated() throws Exception {
        TopologyBuilder topology = numbers(5);
        topology.setBolt("ticks", new TickTock(journal))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        StormDoor door = StormDoor.of(topology.createTopology(), Map.of());
        door.deactivate();
        StormRun run = door.start(RunSettings.defaults());
        journal.await("ticks", 2);
        assertThat(journal.size("emitted")).isZero();
        run.activate();
        journal.await("acked", 5);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.size("deactivated")).isEqualTo(1);
    }

    /** After one interval, and after each that follows; of those that are missed only the last one. */
    @Test
    void shouldTickByItsInterval() throws Exception {
        AtomicLong nowMs = new AtomicLong();
        Clock clock = new Clock() {
            @Override
            public long nowNs() {
                return System.nanoTime();
            }

            @Override
            public long epochMs() {
                return 1_000_000_000 + nowMs.get();
            }
        };
        TopologyBuilder topology = new TopologyBuilder();
        String id = journal.id;
        topology.setSpout("calls", () -> Journal.of(id).counter("call").getAndIncrement());
        topology.setBolt("ticking", new Script(journal, (tuple, scene) -> {
                    if (TupleUtils.isTick(tuple)) {
                        scene.journal.note("ticks", scene.journal.counter("now").get());
                    }
                    scene.journal.counter("executed").incrementAndGet();
                }))
                .shuffleGrouping("calls")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 3);
        StormRun run = StormDoor.of(topology.createTopology(), Map.of())
                .start(RunSettings.defaults().withClock(clock));
        int[][] steps = {{0, 0}, {2_999, 0}, {3_000, 1}, {5_999, 1}, {16_000, 2}, {17_999, 2}, {18_000, 3}};
        for (int[] step : steps) {
            journal.counter("now").set(step[0]);
            nowMs.set(step[0]);
            int before = journal.counter("executed").get();
            journal.await(
                    "ticks at " + step[0],
                    () -> journal.counter("executed").get() > before + 2 && journal.size("ticks") >= step[1]);
        }
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("ticks")).containsExactly(3_000, 16_000, 18_000);
    }

    /** It goes round for ever: at the end something is on its way, and the bolt is not called after cleanup. */
    @Test
    void shouldCleanUpBetweenCallsOfWhatLeadsBack() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 50).withoutIds());
        topology.setBolt("round", new Round(journal)).shuffleGrouping("numbers").shuffleGrouping("round");
        StormRun run = start(topology, Map.of());
        journal.await("many rounds", () -> journal.counter("rounds").get() > 1000);
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertThat(journal.page("cleaned up")).containsExactly(0);
        assertThat(journal.counter("after").get()).isZero();
        ComponentStats round = run.stats().get(1);
        assertThat(round.transferred() + run.stats().get(0).transferred()).isEqualTo(round.executed() + run.dropped());
        assertThat(run.unacked()).as("it has no thread of its own").isEmpty();
    }

    /** Sends what it gets back to itself. */
    static final class Round extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;
        private transient OutputCollector collector;
        private transient AtomicInteger within;
        private transient volatile boolean over;

        Round(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
            within = new AtomicInteger();
        }

        @Override
        public void execute(Tuple tuple) {
            within.incrementAndGet();
            Journal.of(journal).counter("rounds").incrementAndGet();
            if (over) {
                Journal.of(journal).counter("after").incrementAndGet();
            }
            collector.emit(new Values(tuple.getInteger(0)));
            within.decrementAndGet();
        }

        @Override
        public void cleanup() {
            over = true;
            Journal.of(journal).note("cleaned up", within.get());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
        }
    }

    @Test
    void shouldGiveUpABoltThatDoesNotComeBack() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Stuck.latch = never;
        TopologyBuilder topology = numbers(1);
        topology.setBolt("stuck", new Script(journal, (tuple, scene) -> Stuck.await(scene.journal)))
                .shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        journal.await("stuck", 1);
        assertThat(run.stop(Duration.ZERO, Duration.ofMillis(200))).isFalse();
        assertThat(run.pending()).isEqualTo(1);
        never.countDown();
    }

    /** Its task's thread is in the call, and is left there. */
    @Test
    void shouldGiveUpASpoutThatDoesNotComeBack() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Stuck.latch = never;
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("stuck", new StuckSpout(journal));
        StormRun run = start(topology, Map.of());
        journal.await("stuck", 1);
        assertThat(run.stop(Duration.ZERO, Duration.ofMillis(200))).isFalse();
        never.countDown();
        assertThat(run.job().await(BUSY)).isTrue();
    }

    private static class StuckSpout extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        final String journal;

        StuckSpout(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            // emits nothing
        }

        @Override
        public void nextTuple() {
            Stuck.await(Journal.of(journal));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
        }
    }

    private static final class Stuck {
        static volatile CountDownLatch latch;

        /** However often it is interrupted. */
        static void await(Journal journal) {
            CountDownLatch its = latch; // the next test has another one
            journal.note("stuck", 1);
            while (its.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
                boolean unused = Thread.interrupted();
            }
        }

        /** As a spout or bolt that waits for a queue. */
        static void awaitUnlessInterrupted(Journal journal) {
            journal.note("stuck", 1);
            journal.note("thread", Thread.currentThread());
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** As Storm does when a LocalCluster is closed: otherwise the thread would keep the JVM of whoever runs the topology. */
    @Test
    void shouldInterruptASpoutAndABoltThatDoNotComeBack() throws Exception {
        TopologyBuilder topology = numbers(1);
        topology.setSpout("waits", new WaitingSpout(journal));
        topology.setBolt("stuck", new Script(journal, (tuple, scene) -> Stuck.awaitUnlessInterrupted(scene.journal)))
                .shuffleGrouping("numbers");
        StormRun run = start(topology, Map.of());
        journal.await("stuck", 2);
        run.stop(Duration.ZERO, Duration.ofMillis(200));
        assertThat(run.job().await(BUSY)).isTrue();
        run.job().await(); // it has not failed
        for (Object thread : journal.page("thread")) {
            ((Thread) thread).join();
        }
    }

    @Test
    void shouldInterruptATickThatDoesNotComeBack() throws Exception {
        TopologyBuilder topology = numbers(0);
        topology.setBolt("stuck", new Script(journal, (tuple, scene) -> Stuck.awaitUnlessInterrupted(scene.journal)))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        StormRun run = start(topology, Map.of());
        journal.await("stuck", 1);
        run.stop(Duration.ZERO, Duration.ofMillis(200));
        assertThat(run.job().await(BUSY)).isTrue();
        run.job().await(); // it has not failed
    }

    private static final class WaitingSpout extends StuckSpout {
        private static final long serialVersionUID = 1L;

        WaitingSpout(Journal journal) {
            super(journal);
        }

        @Override
        public void nextTuple() {
            Stuck.awaitUnlessInterrupted(Journal.of(journal));
        }
    }

    /** Without ids nothing is pending; what the bolt's threads have in hand is finished all the same. */
    @Test
    void shouldLetThreadsOfABoltFinish() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 50).withoutIds());
        topology.setBolt(
                        "pool",
                        new Script(
                                        journal,
                                        (tuple, scene) -> scene.context
                                                .getSharedExecutor()
                                                .execute(() -> {
                                                    scene.journal.await(
                                                            "the end has begun",
                                                            () -> tuple.getInteger(0) == 0
                                                                    || scene.journal.size("ending") > 0);
                                                    synchronized (scene) {
                                                        scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
                                                        scene.collector.ack(tuple);
                                                    }
                                                }))
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt(
                        "first",
                        new Script(journal, (tuple, scene) -> {
                                    scene.collector.emit(tuple, new Values(1));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("pool");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("first");
        StormRun run = start(topology, Map.of());
        journal.await("emitted", 50);
        journal.await("end", 1);
        run.kill(BUSY);
        journal.note("ending", 1);
        run.await();
        assertThat(journal.size("end")).isEqualTo(50);
    }

    @Test
    void shouldStartOnce() throws Exception {
        StormDoor door = StormDoor.of(numbers(1).createTopology(), Map.of());
        StormRun run = door.start(RunSettings.defaults());
        assertThatThrownBy(() -> door.start(RunSettings.defaults())).hasMessageContaining("was started before");
        assertThat(run.stop(END, BUSY)).isTrue();
    }

    @Test
    void shouldRunABoltThatReadsNothingButTicks() throws Exception {
        TopologyBuilder topology = numbers(1);
        topology.setBolt("alone", new Script(journal, (tuple, scene) -> scene.journal.note("ticks", 1)))
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        StormRun run = start(topology, Map.of());
        journal.await("ticks", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
    }

    @Test
    void shouldCallWorkerHooks() throws Exception {
        Worker.journal = journal;
        TopologyBuilder topology = numbers(1);
        topology.addWorkerHook(new Worker());
        StormRun run = start(topology, Map.of());
        journal.await("acked", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("worker")).containsExactly("start", "shutdown");
    }

    @Test
    void shouldShutDownAllWorkerHooks_evenIfOneFails() throws Exception {
        Worker.journal = journal;
        TopologyBuilder topology = numbers(1);
        topology.addWorkerHook(new Failing());
        topology.addWorkerHook(new Worker());
        StormRun run = start(topology, Map.of());
        journal.await("acked", 1);
        assertThatThrownBy(() -> run.stop(END, BUSY)).hasMessage("not now");
        assertThat(journal.page("worker")).containsExactly("start", "shutdown");
    }

    /** Cannot be shut down. */
    static final class Failing extends BaseWorkerHook {
        private static final long serialVersionUID = 1L;

        @Override
        public void shutdown() {
            throw new IllegalStateException("not now");
        }
    }

    /** Notes when it is called. */
    static final class Worker extends BaseWorkerHook {
        private static final long serialVersionUID = 1L;
        static volatile Journal journal;

        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            journal.note("worker", "start");
        }

        @Override
        public void shutdown() {
            journal.note("worker", "shutdown");
        }
    }

    /** As thrift describes a component in another language; the child speaks Storm's protocol. */
    @Test
    void shouldRunAShellComponent(@TempDir Path resources) throws Exception {
        Files.writeString(resources.resolve("shout.py"), """
                import json, os, sys

                def read():
                    lines = []
                    while True:
                        line = sys.stdin.readline()
                        if not line:
                            sys.exit(0)
                        if line.strip() == "end":
                            return json.loads("".join(lines))
                        lines.append(line)

                def send(message):
                    sys.stdout.write(json.dumps(message) + "\\nend\\n")
                    sys.stdout.flush()

                setup = read()
                open(os.path.join(setup["pidDir"], str(os.getpid())), "w").close()
                send({"pid": os.getpid()})
                while True:
                    tuple = read()
                    if isinstance(tuple, list):
                        continue
                    if tuple["stream"] == "__heartbeat":
                        send({"command": "sync"})
                        continue
                    send({"command": "emit", "anchors": [tuple["id"]], "tuple": [tuple["tuple"][0] * 2]})
                    send({"command": "ack", "id": tuple["id"]})
                """);
        TopologyBuilder builder = numbers(20);
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("shout");
        StormTopology topology = withShell(builder);
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS,
                600, // none fails because the machine was busy
                Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS,
                600);
        StormRun run = StormDoor.of("shell", topology, conf, resources, StormDoorTest.class.getClassLoader())
                .start(RunSettings.defaults());
        journal.await("all are acked", () -> Runs.ended(run) || journal.size("acked") == 20);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("end")).hasSize(20).contains(0, 38);
        assertThat(run.stats()).allMatch(each -> each.errors() == 0);
    }

    private static StormTopology withShell(TopologyBuilder builder) {
        builder.setBolt("shout", new Script(new Journal(), (tuple, scene) -> {}).emits("n"))
                .shuffleGrouping("numbers");
        StormTopology topology = builder.createTopology();
        Map<GlobalStreamId, Grouping> inputs = new HashMap<>();
        inputs.put(new GlobalStreamId("numbers", "default"), Grouping.shuffle(new NullStruct()));
        ComponentCommon common = new ComponentCommon(inputs, Map.of("default", new StreamInfo(List.of("n"), false)));
        common.set_parallelism_hint(1);
        topology.put_to_bolts(
                "shout", new Bolt(ComponentObject.shell(new ShellComponent("python3", "shout.py")), common));
        return topology;
    }

    /** Neither one that has ended nor one that could not be started. */
    @Test
    void shouldLeaveNoFolderBehind() throws Exception {
        Broken.journal = journal;
        TopologyBuilder topology = numbers(1);
        topology.addWorkerHook(new Broken());
        assertThatThrownBy(() -> start(topology, Map.of())).hasMessage("no hook");
        TopologyBuilder other = numbers(1);
        other.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("folders", scene.context.getPIDDir());
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        StormRun run = start(other, Map.of());
        journal.await("acked", 1);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(journal.page("folders"))
                .hasSize(2)
                .noneMatch(folder -> Files.exists(Path.of((String) folder).getParent()));
    }

    /** Cannot be started. */
    static final class Broken extends BaseWorkerHook {
        private static final long serialVersionUID = 1L;
        static volatile Journal journal;

        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            journal.note("folders", context.getPIDDir());
            throw new IllegalStateException("no hook");
        }
    }

    // ---- what is refused

    @Test
    void shouldRefuseCheckpoints(@TempDir Path folder) throws Exception {
        StormDoor door = StormDoor.of(numbers(1).createTopology(), Map.of());
        RunSettings settings =
                RunSettings.defaults().withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        assertThatThrownBy(() -> door.start(settings))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("a Storm topology takes no checkpoints; its spouts replay");
        assertThat(door.start(RunSettings.defaults()).stop(END, BUSY)).isTrue();
    }

    @Test
    void shouldRefuseToBeginDeactivatedElsewhere() {
        StormDoor door = StormDoor.of(numbers(1).createTopology(), Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0));
        door.deactivate();
        assertThatThrownBy(() -> door.start(new EmbeddedRunner(RunSettings.defaults())))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("it is to begin deactivated");
    }

    @Test
    void shouldRefuseWhatStormRefuses() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {})).shuffleGrouping("wrods");
        assertThatThrownBy(() -> StormDoor.of(topology.createTopology(), Map.of()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("Storm refuses it")
                .hasMessageContaining("wrods");
    }

    @Test
    void shouldRefuseAStreamOfStormsOwn() {
        TopologyBuilder topology = numbers(1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {})).allGrouping("__system", "__tick");
        assertThatThrownBy(() -> StormDoor.of(topology.createTopology(), Map.of()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("__system");
    }

    @Test
    void shouldRefuseMoreExecutorsThanThereCanBe() {
        TopologyBuilder topology = numbers(1);
        topology.setBolt("wide", new Script(journal, (tuple, scene) -> {}), 257).shuffleGrouping("numbers");
        assertThatThrownBy(() -> StormDoor.of(topology.createTopology(), Map.of()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("it has 257 executors, and 256 are possible");
    }

    @Test
    void shouldRefuseMoreTasksThanThereCanBe_withoutMakingThem() {
        TopologyBuilder hinted = numbers(1);
        hinted.setBolt("wide", new Script(journal, (tuple, scene) -> {}), 2_000_000_000)
                .shuffleGrouping("numbers");
        assertThatThrownBy(() -> StormDoor.of(hinted.createTopology(), Map.of()))
                .hasMessageContaining("it has 2000000000 executors, and 256 are possible");
        TopologyBuilder asked = numbers(1);
        asked.setBolt("wide", new Script(journal, (tuple, scene) -> {}))
                .setNumTasks(2_000_000_000)
                .shuffleGrouping("numbers");
        assertThatThrownBy(() -> StormDoor.of(asked.createTopology(), Map.of()))
                .hasMessageContaining("it has 2000000000 tasks, and 100000 are possible");
    }

    /** Which Storm would look for beside its own. */
    @Test
    void shouldFindTheClassOfAGroupingWhereThoseOfTheTopologyAre() throws Exception {
        TopologyBuilder topology = numbers(3);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> scene.collector.ack(tuple)), 2)
                .customGrouping("numbers", new ToAll(journal));
        ClassLoader loader = new WithOwn(ToAll.class);
        StormRun run = StormDoor.of("grouped", topology.createTopology(), Map.of(), null, loader)
                .start(RunSettings.defaults());
        journal.await("acked", 3);
        assertThat(run.stop(END, BUSY)).isTrue();
        assertThat(run.stats().get(0).acked()).isEqualTo(6);
        assertThat(journal.page("loaders")).containsOnly(loader);
    }

    /** Notes whose class it is. */
    static final class ToAll implements CustomStreamGrouping {
        private static final long serialVersionUID = 1L;
        private final String journal;
        private transient List<Integer> tasks;

        ToAll(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targets) {
            tasks = targets;
            Journal.of(journal).note("loaders", getClass().getClassLoader());
        }

        @Override
        public List<Integer> chooseTasks(int task, List<Object> values) {
            return tasks;
        }
    }

    /** Has a class of its own, as the loader of a jar has many. */
    private static final class WithOwn extends ClassLoader {
        private final String own;

        WithOwn(Class<?> own) {
            super(own.getClassLoader());
            this.own = own.getName();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(own)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @Test
    void shouldRefuseAnEmptyTopology() {
        assertThatThrownBy(() -> StormDoor.of(new TopologyBuilder().createTopology(), Map.of()))
                .isInstanceOf(TopologyException.class);
    }
}
