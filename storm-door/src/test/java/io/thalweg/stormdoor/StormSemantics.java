// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.FailedException;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.Test;

/** What Storm promises to spouts and bolts. Runs on this door, and on Storm itself: neither may need another test. */
public abstract class StormSemantics extends UnackedStormSemantics {
    // ---- acks

    @Test
    void shouldAckWhatAllBoltsHaveAcked() throws Exception {
        TopologyBuilder topology = numbers(MANY, 2);
        topology.setBolt("pass", passing(), 2).shuffleGrouping("numbers");
        topology.setBolt("end", noting("end"), 2).shuffleGrouping("pass");
        run(topology);
        journal.await("acked", MANY);
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(MANY));
        assertThat(journal.page("end")).containsExactlyInAnyOrder(upTo(MANY));
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldTellTheSpoutWhatABoltFails() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    if (scene.journal.counter("tried " + tuple.getInteger(0)).incrementAndGet() == 1) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("acked", 20);
        assertThat(journal.page("failed")).containsExactlyInAnyOrder(upTo(20));
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(20));
    }

    @Test
    void shouldFailWhatIsNotAckedInTime() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    boolean forgotten = tuple.getInteger(0) % 7 == 0
                            && scene.journal
                                            .counter("tried " + tuple.getInteger(0))
                                            .incrementAndGet()
                                    == 1;
                    if (!forgotten) {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("numbers");
        run(topology, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 5);
        journal.await("all are acked", () -> journal.page("acked").containsAll(List.of(upTo(20))));
        assertThat(journal.page("failed")).contains(0, 7, 14);
    }

    @Test
    void shouldDeliverEachAtLeastOnceWhateverFails() throws Exception {
        TopologyBuilder topology = numbers(MANY, 2);
        Script.Act unsteady = (tuple, scene) -> {
            int tries = scene.journal
                    .counter(scene.context.getThisComponentId() + " " + tuple.getInteger(0))
                    .incrementAndGet();
            int fate = tries > 3 ? 9 : (tuple.getInteger(0) * 31 + tries * 17) % 10;
            if (fate == 0) {
                return; // forgotten
            }
            if (fate < 3) {
                scene.collector.fail(tuple);
                return;
            }
            scene.journal.note(scene.context.getThisComponentId(), tuple.getInteger(0));
            if (scene.context.getThisComponentId().equals("pass")) {
                scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
            }
            scene.collector.ack(tuple);
        };
        topology.setBolt("pass", new Script(journal, unsteady).emits("n"), 3).shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, unsteady), 2).fieldsGrouping("pass", new Fields("n"));
        run(topology, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 1);
        journal.await("acked", MANY);
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(MANY));
        assertThat(journal.page("end")).contains(upTo(MANY));
    }

    @Test
    void shouldWaitForAllThatIsAnchoredToATuple() throws Exception {
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt(
                        "split",
                        new Script(journal, (tuple, scene) -> {
                                    for (int i = 0; i < 5; i++) {
                                        scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
                                    }
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    int n = tuple.getInteger(0);
                    if (scene.journal.counter("seen " + n).incrementAndGet() == 5) {
                        scene.journal.note(
                                "acked before the fifth",
                                scene.journal.page("acked").contains(n));
                    }
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("split");
        run(topology);
        journal.await("acked", 10);
        assertThat(journal.page("acked before the fifth")).hasSize(10).containsOnly(false);
    }

    @Test
    void shouldFailAllThatATupleIsAnchoredTo() throws Exception {
        TopologyBuilder topology = numbers(8, 1);
        topology.setBolt(
                        "pairs",
                        new Script(journal, (tuple, scene) -> {
                                    scene.kept.add(tuple);
                                    if (scene.kept.size() == 2) {
                                        int least = scene.kept.stream()
                                                .mapToInt(each -> each.getInteger(0))
                                                .min()
                                                .orElseThrow();
                                        scene.collector.emit(new ArrayList<>(scene.kept), new Values(least));
                                        scene.kept.forEach(scene.collector::ack);
                                        scene.kept.clear();
                                    }
                                })
                                .emits("least"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    boolean first = tuple.getInteger(0) == 2
                            && scene.journal.counter("failed").incrementAndGet() == 1;
                    if (first) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("pairs");
        run(topology);
        journal.await("acked", 8);
        assertThat(journal.page("failed")).containsExactlyInAnyOrder(2, 3);
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(8));
    }

    @Test
    void shouldNotWaitForWhatIsAnchoredToNothing() throws Exception {
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt(
                        "loose",
                        new Script(journal, (tuple, scene) -> {
                                    scene.collector.emit(new Values(tuple.getInteger(0)));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getInteger(0));
                    scene.collector.fail(tuple);
                }))
                .shuffleGrouping("loose");
        run(topology);
        journal.await("acked", 10);
        journal.await("end", 10);
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldTakeAcksAndTuplesFromOtherThreads() throws Exception {
        TopologyBuilder topology = numbers(MANY, 1);
        topology.setBolt(
                        "pool",
                        new Script(journal, (tuple, scene) -> {
                                    ExecutorService pool = scene.context.getSharedExecutor();
                                    pool.execute(() -> {
                                        int n = tuple.getInteger(0);
                                        boolean fails = n % 5 == 0
                                                && scene.journal
                                                                .counter("tried " + n)
                                                                .incrementAndGet()
                                                        == 1;
                                        synchronized (scene) { // Storm asks for that
                                            if (fails) {
                                                scene.collector.fail(tuple);
                                            } else {
                                                scene.collector.emit(tuple, new Values(n));
                                                scene.collector.ack(tuple);
                                            }
                                        }
                                    });
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", noting("end")).shuffleGrouping("pool");
        run(topology);
        journal.await("acked", MANY);
        assertThat(journal.page("end")).containsExactlyInAnyOrder(upTo(MANY));
        assertThat(journal.page("failed")).hasSize(MANY / 5);
    }

    @Test
    void shouldKeepToTheMostThatMayBePending() throws Exception {
        TopologyBuilder topology = numbers(50, 1);
        topology.setBolt("end", noting("end")).shuffleGrouping("numbers");
        run(topology, Config.TOPOLOGY_MAX_SPOUT_PENDING, 3);
        journal.await("acked", 50);
        assertThat(journal.counter("most open").get()).isLessThanOrEqualTo(3);
    }

    /** One of four at a time, while a bolt keeps the other three. */
    @Test
    void shouldGoOnWhereMostOfWhatMayBePendingIsKept() throws Exception {
        TopologyBuilder topology = numbers(50, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    if (scene.kept.size() < 3) {
                        scene.kept.add(tuple);
                        return;
                    }
                    scene.collector.ack(tuple);
                    if (scene.journal.counter("ended").incrementAndGet() == 47) {
                        scene.kept.forEach(scene.collector::ack);
                    }
                }))
                .shuffleGrouping("numbers");
        run(topology, Config.TOPOLOGY_MAX_SPOUT_PENDING, 4);
        journal.await("acked", 50);
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldAckAtOnceWithoutAckers() throws Exception {
        TopologyBuilder topology = numbers(50, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> scene.journal.note("end", tuple.getInteger(0))))
                .shuffleGrouping("numbers");
        run(topology, Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        journal.await("end", 50);
        journal.await("acked", 50);
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(50));
    }

    @Test
    void shouldAckWhatNobodyReads() throws Exception {
        run(numbers(20, 1));
        journal.await("acked", 20);
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldNotTellTheSpoutOfTuplesWithoutAnId() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 20).withoutIds());
        topology.setBolt("end", noting("end")).shuffleGrouping("numbers");
        run(topology);
        journal.await("end", 20);
        assertThat(journal.page("acked")).isEmpty();
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldAckForABasicBoltAndFailIfItSaysSo() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("basic", new Basic(journal)).shuffleGrouping("numbers");
        topology.setBolt("end", noting("end")).shuffleGrouping("basic");
        run(topology);
        journal.await("acked", 20);
        assertThat(journal.page("failed")).containsExactly(13);
        assertThat(journal.page("end")).containsExactlyInAnyOrder(upTo(20));
    }

    /** For longer than a tuple has, unless the machine stands still for so long that it comes once more. */
    @Test
    void shouldGiveABoltMoreTimeThatAsksForIt() throws Exception {
        TopologyBuilder topology = numbers(1, 1);
        topology.setBolt("slow", new Script(journal, (tuple, scene) -> {
                    if (TupleUtils.isTick(tuple)) {
                        if (!scene.kept.isEmpty()
                                && scene.journal.counter("ticks").incrementAndGet() < 10) {
                            scene.collector.resetTimeout(scene.kept.get(0));
                        } else if (!scene.kept.isEmpty()) {
                            scene.collector.ack(scene.kept.remove(0));
                        }
                    } else {
                        scene.kept.clear();
                        scene.kept.add(tuple);
                        scene.journal.counter("ticks").set(0);
                    }
                }))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        run(topology, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 8);
        journal.await("acked", 1);
        assertThat(journal.counter("ticks").get()).isEqualTo(10);
    }

    @Test
    void shouldCarryWhatLeadsBack() throws Exception {
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt(
                        "down",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    scene.journal.note("rounds", n);
                                    if (n > 0) {
                                        scene.collector.emit("back", tuple, new Values(n - 1));
                                    }
                                    scene.collector.ack(tuple);
                                })
                                .emitsTo("back", "n"),
                        2)
                .shuffleGrouping("numbers")
                .shuffleGrouping("down", "back");
        run(topology);
        journal.await("acked", 10);
        assertThat(journal.page("acked")).containsExactlyInAnyOrder(upTo(10));
        assertThat(journal.size("rounds")).isEqualTo(55);
    }

    // ---- tasks, ticks, contexts

    @Test
    void shouldCallHooksOfWhatIsAckedAndWhatFails() throws Exception {
        Hook.journal = journal;
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    boolean fails = tuple.getInteger(0) == 3
                            && scene.journal.counter("tried").incrementAndGet() == 1;
                    if (fails) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("numbers");
        run(
                topology,
                Config.TOPOLOGY_AUTO_TASK_HOOKS,
                List.of(Hook.class.getName()),
                Config.TOPOLOGY_STATS_SAMPLE_RATE,
                1.0);
        journal.await("hook acked numbers", 10);
        assertThat(journal.page("hook acked numbers")).containsExactlyInAnyOrder(upTo(10));
        assertThat(journal.page("hook failed numbers")).containsExactly(3);
        assertThat(journal.page("hook fail end")).containsExactly(3);
        journal.await("hook ack end", 10);
    }

    /** Those of bolts: that of the spout is called when the tuple is emitted. */
    @Test
    void shouldCallNoHooksOfAcksWithoutAckers() throws Exception {
        Hook.journal = journal;
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    if (tuple.getInteger(0) == 3) {
                        scene.collector.fail(tuple);
                    } else {
                        scene.collector.ack(tuple);
                    }
                }))
                .shuffleGrouping("numbers");
        run(
                topology,
                Config.TOPOLOGY_AUTO_TASK_HOOKS,
                List.of(Hook.class.getName()),
                Config.TOPOLOGY_STATS_SAMPLE_RATE,
                1.0,
                Config.TOPOLOGY_ACKER_EXECUTORS,
                0);
        journal.await("hook acked numbers", 10);
        journal.await("hook execute end", 10); // after the ack
        assertThat(journal.page("hook ack end")).isEmpty();
        assertThat(journal.page("hook fail end")).isEmpty();
        assertThat(journal.page("hook failed numbers")).isEmpty();
    }

    /** A component may set some options of Storm for itself, and the others are the topology's. */
    @Test
    void shouldTakeSomeOptionsFromAComponent() throws Exception {
        TopologyBuilder topology = numbers(1, 1);
        topology.setBolt("tells", new Tells(journal))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_MAX_SPOUT_PENDING, 3)
                .addConfiguration(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 7)
                .addConfiguration("mine", 1);
        run(topology, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 20);
        journal.await("told", 1);
        assertThat(journal.page("told")).containsExactly(List.of(3L, 20L, 1L));
    }

    /** Tells some options. */
    public static final class Tells extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;

        Tells(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            Journal.of(journal)
                    .note(
                            "told",
                            Stream.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, "mine")
                                    .map(each -> ((Number) conf.get(each)).longValue())
                                    .toList());
        }

        @Override
        public void execute(Tuple tuple) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Some bolts write there, also of Storm's: those whose windows are kept as state. */
    @Test
    void shouldGiveEachExecutorAConfOfItsOwn() throws Exception {
        TopologyBuilder topology = numbers(1, 1);
        topology.setBolt("marks", new Marks(journal), 2).allGrouping("numbers");
        run(topology);
        journal.await("acked", 1);
        assertThat(new HashSet<>(journal.page("found"))).isEqualTo(new HashSet<>(journal.page("marked")));
    }

    /** Puts its task into its conf, and looks there when all have. */
    public static final class Marks extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;
        private transient Map<String, Object> conf;
        private transient OutputCollector collector;

        Marks(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(Map<String, Object> settings, TopologyContext context, OutputCollector output) {
            conf = settings;
            collector = output;
            conf.put("mark", context.getThisTaskId());
            Journal.of(journal).note("marked", context.getThisTaskId());
        }

        @Override
        public void execute(Tuple tuple) {
            if (Journal.of(journal).size("marked") < 2) {
                collector.fail(tuple); // it comes again
                return;
            }
            Journal.of(journal).note("found", conf.get("mark"));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // emits nothing
        }
    }

    @Test
    void shouldDeactivateAndActivateSpouts() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 1_000_000));
        topology.setBolt("end", noting("end")).shuffleGrouping("numbers");
        Submitted running = run(topology, Config.TOPOLOGY_MAX_SPOUT_PENDING, 1);
        journal.await("acked", 5);
        running.deactivate();
        journal.await("deactivated", 1);
        journal.await("no longer pending", () -> journal.counter("open").get() == 0);
        int emitted = journal.size("emitted");
        assertThat(journal.size("acked")).isEqualTo(emitted);
        running.activate();
        journal.await("acked", emitted + 5);
    }

    // ---- windows and state

    @Test
    void shouldWindowByEventTimeAndTellWhatIsLate() throws Exception {
        TopologyBuilder topology = numbers(6, 1);
        // Times 0, 1, 2, 8, 1, 9 s: the fifth comes when the watermark, 2 s behind, is at 6 s.
        topology.setBolt(
                        "times",
                        new Script(journal, (tuple, scene) -> {
                                    long[] times = {0, 1, 2, 8, 1, 9};
                                    int n = tuple.getInteger(0);
                                    Values timed = new Values(n, 100_000_001 + times[n] * 1000);
                                    if (n == 4) {
                                        scene.journal.await(
                                                "the watermark has passed", () -> scene.journal.size("windows") >= 1);
                                        // Storm moves its watermark after the window has fired: until then nothing is
                                        // late.
                                        scene.journal.await("it is late", () -> {
                                            scene.collector.emit(tuple, timed);
                                            return scene.journal.size("late") >= 1;
                                        });
                                    } else {
                                        scene.collector.emit(tuple, timed);
                                    }
                                    scene.collector.ack(tuple);
                                })
                                .emits("n", "ts"))
                .globalGrouping("numbers");
        topology.setBolt(
                        "window",
                        new Windowed(journal)
                                .withTumblingWindow(BaseWindowedBolt.Duration.seconds(5))
                                .withTimestampField("ts")
                                .withLag(BaseWindowedBolt.Duration.seconds(2))
                                .withWatermarkInterval(BaseWindowedBolt.Duration.of(100))
                                .withLateTupleStream("late"))
                .globalGrouping("times");
        topology.setBolt("late", new Script(journal, (tuple, scene) -> {
                    Tuple late = (Tuple) tuple.getValue(0);
                    scene.journal.note("late", late.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("window", "late");
        run(topology);
        journal.await("late", 1);
        assertThat(journal.page("late")).containsOnly(4);
        assertThat(journal.page("windows").get(0)).isEqualTo(range(0, 3));
    }

    @Test
    void shouldKeepStateInAStatefulBolt() throws Exception {
        TopologyBuilder topology = numbers(MANY, 1);
        topology.setBolt("sum", new Sum(journal), 2).fieldsGrouping("numbers", new Fields("key"));
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("sums", List.of(tuple.getValue(0), tuple.getValue(1)));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("sum");
        run(topology, Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 200);
        journal.await("acked", MANY);
        journal.await("committed", 2);
        Map<Object, Long> most = new HashMap<>();
        for (Object each : journal.page("sums")) {
            most.merge(((List<?>) each).get(0), (Long) ((List<?>) each).get(1), Math::max);
        }
        for (int key = 0; key < 10; key++) {
            int its = key;
            assertThat(most)
                    .containsEntry(
                            key,
                            IntStream.range(0, MANY)
                                    .filter(n -> n % 10 == its)
                                    .asLongStream()
                                    .sum());
        }
    }

    /** Fails 13 once. */
    public static final class Basic extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;

        Basic(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            int n = tuple.getInteger(0);
            if (n == 13 && Journal.of(journal).counter("thirteen").incrementAndGet() == 1) {
                throw new FailedException("once");
            }
            collector.emit(new Values(n));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
        }
    }

    /** Sums by key. */
    public static final class Sum extends BaseStatefulBolt<KeyValueState<Integer, Long>> {
        private static final long serialVersionUID = 1L;
        private final String journal;
        private transient KeyValueState<Integer, Long> sums;
        private transient OutputCollector collector;

        Sum(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void initState(KeyValueState<Integer, Long> state) {
            sums = state;
        }

        @Override
        public void execute(Tuple tuple) {
            long sum = sums.get(tuple.getInteger(1), 0L) + tuple.getInteger(0);
            sums.put(tuple.getInteger(1), sum);
            collector.emit(tuple, new Values(tuple.getInteger(1), sum));
            collector.ack(tuple);
        }

        @Override
        public void preCommit(long transaction) {
            Journal.of(journal).note("committed", transaction);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("key", "sum"));
        }
    }
}
