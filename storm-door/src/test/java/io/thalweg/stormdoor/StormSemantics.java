// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.StreamBuilder;
import org.apache.storm.streams.operations.mappers.ValueMapper;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.FailedException;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Storm promises to spouts and bolts. Runs on this door, and on Storm itself: neither may need another test. */
public abstract class StormSemantics {
    /** A topology that runs. */
    public interface Submitted {
        void activate() throws Exception;

        void deactivate() throws Exception;

        /** Ends it. */
        void kill() throws Exception;
    }

    protected static final int MANY = 200;

    protected final Journal journal = new Journal();
    private Submitted submitted;

    protected abstract Submitted submit(String name, Map<String, Object> conf, StormTopology topology) throws Exception;

    @AfterEach
    final void end() throws Exception {
        if (submitted != null) {
            submitted.kill();
        }
        journal.forget();
    }

    protected final Submitted run(TopologyBuilder topology, Object... conf) throws Exception {
        return run(topology.createTopology(), conf);
    }

    protected final Submitted run(StormTopology topology, Object... conf) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        for (int i = 0; i < conf.length; i += 2) {
            settings.put((String) conf[i], conf[i + 1]);
        }
        submitted = submit("semantics-" + journal.id, settings, topology);
        return submitted;
    }

    private TopologyBuilder numbers(int many, int tasks) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, many), tasks);
        return topology;
    }

    private Script noting(String page) {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note(page, tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
    }

    /** Notes which task got which number. */
    private Script noting() {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note("at " + scene.context.getThisTaskIndex(), tuple.getInteger(0));
            scene.journal.note("all", tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
    }

    private Script passing() {
        return new Script(journal, (tuple, scene) -> {
                    scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
                    scene.collector.ack(tuple);
                })
                .emits("n");
    }

    private static Object[] upTo(int many) {
        return IntStream.range(0, many).boxed().toArray();
    }

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
                        scene.kept.add(tuple);
                    }
                }))
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        run(topology, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 8);
        journal.await("acked", 1);
        assertThat(journal.page("failed")).isEmpty();
        assertThat(journal.counter("ticks").get()).isEqualTo(10);
    }

    // ---- order and groupings

    @Test
    void shouldKeepTheOrderFromTaskToTask() throws Exception {
        TopologyBuilder topology = numbers(1000, 4);
        topology.setBolt(
                        "end",
                        new Script(journal, (tuple, scene) -> {
                            scene.journal.note(
                                    tuple.getSourceTask() + " to " + scene.context.getThisTaskId(),
                                    tuple.getInteger(0));
                            scene.journal.note("pairs", tuple.getSourceTask() + " to " + scene.context.getThisTaskId());
                            scene.collector.ack(tuple);
                        }),
                        3)
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("acked", 1000);
        Set<Object> pairs = new HashSet<>(journal.page("pairs"));
        assertThat(pairs).hasSizeGreaterThan(4);
        for (Object pair : pairs) {
            assertThat(journal.page((String) pair)).isSortedAccordingTo((one, other) -> (int) one - (int) other);
        }
    }

    @Test
    void shouldGroupByFieldsAsStormHashes() throws Exception {
        TopologyBuilder topology = numbers(MANY, 2);
        topology.setBolt("end", noting(), 3).fieldsGrouping("numbers", new Fields("key"));
        run(topology);
        journal.await("all", MANY);
        for (int n = 0; n < MANY; n++) {
            int task = TupleUtils.chooseTaskIndex(List.of(n % 10), 3);
            assertThat(journal.page("at " + task)).contains(n);
        }
        assertThat(journal.size("all")).isEqualTo(MANY);
    }

    @Test
    void shouldSpreadAShuffle() throws Exception {
        TopologyBuilder topology = numbers(3000, 1);
        topology.setBolt("end", noting(), 3).shuffleGrouping("numbers");
        run(topology, Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        journal.await("all", 3000);
        for (int task = 0; task < 3; task++) {
            assertThat(journal.size("at " + task)).isEqualTo(1000);
        }
    }

    @Test
    void shouldSendToAll() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("end", noting(), 3).allGrouping("numbers");
        run(topology);
        journal.await("acked", 20);
        for (int task = 0; task < 3; task++) {
            assertThat(journal.page("at " + task)).containsExactlyInAnyOrder(upTo(20));
        }
    }

    @Test
    void shouldSendToTheFirstTaskIfGlobal() throws Exception {
        TopologyBuilder topology = numbers(20, 2);
        topology.setBolt("end", noting(), 3).globalGrouping("numbers");
        run(topology);
        journal.await("acked", 20);
        assertThat(journal.page("at 0")).containsExactlyInAnyOrder(upTo(20));
    }

    @Test
    void shouldDeliverOnceWithGroupingsThatLeaveItOpen() throws Exception {
        TopologyBuilder topology = numbers(60, 1);
        topology.setBolt("none", noting("none"), 3).noneGrouping("numbers");
        topology.setBolt("local", noting("local"), 3).localOrShuffleGrouping("numbers");
        run(topology);
        journal.await("acked", 60);
        assertThat(journal.page("none")).containsExactlyInAnyOrder(upTo(60));
        assertThat(journal.page("local")).containsExactlyInAnyOrder(upTo(60));
    }

    @Test
    void shouldSplitAKeyOverTwoTasksIfPartial() throws Exception {
        TopologyBuilder topology = numbers(400, 1);
        topology.setBolt("end", noting(), 5).partialKeyGrouping("numbers", new Fields("key"));
        run(topology);
        journal.await("acked", 400);
        int splits = 0;
        for (int key = 0; key < 10; key++) {
            int tasks = 0;
            for (int task = 0; task < 5; task++) {
                int its = key;
                tasks += journal.page("at " + task).stream().anyMatch(n -> (int) n % 10 == its) ? 1 : 0;
            }
            assertThat(tasks).isBetween(1, 2);
            splits += tasks - 1;
        }
        assertThat(splits).isPositive();
    }

    @Test
    void shouldAskACustomGrouping() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("end", noting(), 4).customGrouping("numbers", new FirstAndLast());
        run(topology);
        journal.await("acked", 20);
        assertThat(journal.page("at 0")).containsExactlyInAnyOrder(upTo(20));
        assertThat(journal.page("at 3")).containsExactlyInAnyOrder(upTo(20));
        assertThat(journal.page("at 1")).isEmpty();
        assertThat(journal.page("at 2")).isEmpty();
    }

    @Test
    void shouldSendToTheTaskThatIsNamed() throws Exception {
        TopologyBuilder topology = numbers(30, 1);
        topology.setBolt(
                        "choose",
                        new Script(journal, (tuple, scene) -> {
                                    List<Integer> tasks = scene.context.getComponentTasks("end");
                                    scene.collector.emitDirect(
                                            tasks.get(tuple.getInteger(0) % tasks.size()),
                                            "straight",
                                            tuple,
                                            new Values(tuple.getInteger(0)));
                                    scene.collector.ack(tuple);
                                })
                                .emitsDirect("straight", "n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", noting(), 3).directGrouping("choose", "straight");
        run(topology);
        journal.await("acked", 30);
        for (int task = 0; task < 3; task++) {
            int its = task;
            assertThat(journal.page("at " + task)).hasSize(10).allMatch(n -> (int) n % 3 == its);
        }
    }

    @Test
    void shouldKeepNamedStreamsApart() throws Exception {
        TopologyBuilder topology = numbers(40, 1);
        topology.setBolt(
                        "split",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    scene.collector.emit(n % 2 == 0 ? "even" : "odd", tuple, new Values(n));
                                    scene.collector.ack(tuple);
                                })
                                .emitsTo("even", "n")
                                .emitsTo("odd", "n"))
                .shuffleGrouping("numbers");
        topology.setBolt("evens", noting("evens")).shuffleGrouping("split", "even");
        topology.setBolt("odds", noting("odds")).shuffleGrouping("split", "odd");
        topology.setBolt("both", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("both " + tuple.getSourceStreamId(), tuple.getIntegerByField("n"));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("split", "even")
                .shuffleGrouping("split", "odd");
        run(topology);
        journal.await("acked", 40);
        assertThat(journal.page("evens")).hasSize(20).allMatch(n -> (int) n % 2 == 0);
        assertThat(journal.page("odds")).hasSize(20).allMatch(n -> (int) n % 2 == 1);
        assertThat(journal.page("both even")).containsExactlyInAnyOrderElementsOf(journal.page("evens"));
        assertThat(journal.page("both odd")).containsExactlyInAnyOrderElementsOf(journal.page("odds"));
    }

    @Test
    void shouldReturnTheTasksThatATupleGoesTo() throws Exception {
        TopologyBuilder topology = numbers(5, 1);
        topology.setBolt(
                        "all",
                        new Script(journal, (tuple, scene) -> {
                                    scene.journal.note("sent", Set.copyOf(scene.collector.emit(tuple, new Values(1))));
                                    scene.journal.note("tasks", Set.copyOf(scene.context.getComponentTasks("end")));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n"))
                .shuffleGrouping("numbers");
        topology.setBolt("end", noting("end"), 3).allGrouping("all");
        run(topology);
        journal.await("acked", 5);
        assertThat(journal.page("sent")).isEqualTo(journal.page("tasks"));
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
    void shouldRunSeveralTasksInAnExecutor() throws Exception {
        TopologyBuilder topology = numbers(60, 1);
        topology.setBolt(
                        "end",
                        new Script(journal, (tuple, scene) -> {
                            scene.journal.note("at " + scene.context.getThisTaskIndex(), tuple.getInteger(0));
                            scene.journal.note("threads", Thread.currentThread().getName());
                            scene.collector.ack(tuple);
                        }),
                        2)
                .setNumTasks(6)
                .allGrouping("numbers");
        run(topology);
        journal.await("acked", 60);
        assertThat(new HashSet<>(journal.page("prepared end"))).hasSize(6);
        assertThat(new HashSet<>(journal.page("threads"))).hasSize(2);
        for (int task = 0; task < 6; task++) {
            assertThat(journal.page("at " + task)).containsExactlyInAnyOrder(upTo(60));
        }
    }

    @Test
    void shouldTick() throws Exception {
        TopologyBuilder topology = numbers(5, 1);
        topology.setBolt(
                        "ticking",
                        new Script(journal, (tuple, scene) -> {
                            if (TupleUtils.isTick(tuple)) {
                                scene.journal.note("ticks", tuple.getSourceComponent() + tuple.getSourceStreamId());
                                scene.journal.note("at " + scene.context.getThisTaskIndex(), tuple.getValue(0));
                            }
                            scene.collector.ack(tuple);
                        }),
                        2)
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        run(topology);
        journal.await("at 0", 2);
        journal.await("at 1", 2);
        journal.await("acked", 5);
        assertThat(journal.page("ticks")).containsOnly(Constants.SYSTEM_COMPONENT_ID + Constants.SYSTEM_TICK_STREAM_ID);
        assertThat(journal.page("failed")).isEmpty();
    }

    @Test
    void shouldTellABoltWhereItIs() throws Exception {
        TopologyBuilder topology = numbers(1, 2);
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    TopologyContext context = scene.context;
                    scene.journal.note("component", context.getThisComponentId());
                    scene.journal.note("sources", context.getThisSources().keySet());
                    scene.journal.note(
                            "spouts", context.getComponentTasks("numbers").size());
                    scene.journal.note("from", context.getComponentId(tuple.getSourceTask()));
                    scene.journal.note("fields", tuple.getFields().toList());
                    context.setTaskData("mine", 1);
                    scene.journal.note("data", context.getTaskData("mine"));
                    scene.journal.note("count", context.registerCounter("mine").getCount());
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("acked", 1);
        assertThat(journal.page("component")).containsExactly("end");
        assertThat(journal.page("sources")).containsExactly(Set.of(new GlobalStreamId("numbers", "default")));
        assertThat(journal.page("spouts")).containsExactly(2);
        assertThat(journal.page("from")).containsExactly("numbers");
        assertThat(journal.page("fields")).containsExactly(List.of("n", "key", "task"));
        assertThat(journal.page("data")).containsExactly(1);
        assertThat(journal.page("count")).containsExactly(0L);
    }

    @Test
    void shouldCallHooks() throws Exception {
        Hook.journal = journal;
        TopologyBuilder topology = numbers(10, 1);
        topology.setBolt("pass", passing()).shuffleGrouping("numbers");
        topology.setBolt("end", noting("end")).shuffleGrouping("pass");
        run(
                topology,
                Config.TOPOLOGY_AUTO_TASK_HOOKS,
                List.of(Hook.class.getName()),
                Config.TOPOLOGY_STATS_SAMPLE_RATE,
                1.0);
        journal.await("acked", 10);
        journal.await("hook execute end", 10);
        journal.await("hook ack end", 10);
        assertThat(journal.page("default by pass")).hasSize(10);
    }

    @Test
    void shouldNotStallOthersBehindABoltThatBlocks() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("blocks", new Script(journal, (tuple, scene) -> {
                    scene.journal.await("fast", 20);
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        topology.setBolt("fast", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("fast", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("acked", 20);
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

    @Test
    void shouldCloseSpoutsAndCleanUpBolts() throws Exception {
        TopologyBuilder topology = numbers(20, 2);
        topology.setBolt("end", noting("end"), 3).shuffleGrouping("numbers");
        Submitted running = run(topology);
        journal.await("acked", 20);
        running.kill();
        journal.await("deactivated", 2);
        journal.await("closed", 2);
        journal.await("cleaned up", 3);
    }

    // ---- windows and state

    @Test
    void shouldCountTumblingWindows() throws Exception {
        TopologyBuilder topology = numbers(40, 1);
        topology.setBolt("window", new Windowed(journal).withTumblingWindow(new BaseWindowedBolt.Count(10)))
                .globalGrouping("numbers");
        run(topology);
        journal.await("windows", 4);
        assertThat(journal.page("windows").subList(0, 4))
                .containsExactly(range(0, 10), range(10, 20), range(20, 30), range(30, 40));
    }

    @Test
    void shouldCountSlidingWindows() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt(
                        "window",
                        new Windowed(journal).withWindow(new BaseWindowedBolt.Count(10), new BaseWindowedBolt.Count(5)))
                .globalGrouping("numbers");
        run(topology);
        journal.await("windows", 4);
        assertThat(journal.page("windows").subList(0, 4))
                .containsExactly(range(0, 5), range(0, 10), range(5, 15), range(10, 20));
    }

    @Test
    void shouldFireWindowsByTheClock() throws Exception {
        TopologyBuilder topology = numbers(30, 1);
        topology.setBolt(
                        "window",
                        new Windowed(journal)
                                .withTumblingWindow(
                                        new BaseWindowedBolt.Duration(500, java.util.concurrent.TimeUnit.MILLISECONDS)))
                .globalGrouping("numbers");
        run(topology);
        journal.await("acked", 30);
        assertThat(journal.page("windows").stream()
                        .flatMap(window -> ((List<?>) window).stream())
                        .map(Object.class::cast)
                        .toList())
                .containsExactly(upTo(30));
    }

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

    @Test
    void shouldRunTheStreamsApi() throws Exception {
        String id = journal.id;
        StreamBuilder builder = new StreamBuilder();
        builder.newStream(new Numbers(journal, MANY), new ValueMapper<Integer>(0), 2)
                .filter(n -> n % 2 == 0)
                .mapToPair(n -> Pair.of(n % 10, 1))
                .countByKey()
                .forEach(pair -> Journal.of(id).note("counts", List.of(pair.getFirst(), pair.getSecond())));
        run(builder.build());
        Set<Object> last = Arrays.stream(new int[] {0, 2, 4, 6, 8})
                .mapToObj(key -> List.of(key, (long) MANY / 10))
                .collect(Collectors.toSet());
        journal.await("all are counted", () -> journal.page("counts").containsAll(last));
        assertThat(journal.page("counts")).allMatch(pair -> (int) ((List<?>) pair).get(0) % 2 == 0);
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
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

    /** To the first and to the last task. */
    public static final class FirstAndLast implements CustomStreamGrouping {
        private static final long serialVersionUID = 1L;
        private List<Integer> chosen = List.of();

        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targets) {
            chosen = List.of(targets.get(0), targets.get(targets.size() - 1));
        }

        @Override
        public List<Integer> chooseTasks(int task, List<Object> values) {
            return chosen;
        }
    }

    /** Notes what it is told. */
    public static final class Hook extends BaseTaskHook {
        static volatile Journal journal;
        private transient TopologyContext context;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext its) {
            context = its;
        }

        @Override
        public void emit(EmitInfo info) {
            journal.note(info.stream + " by " + context.getThisComponentId(), info.values);
        }

        @Override
        public void boltExecute(BoltExecuteInfo info) {
            journal.note("hook execute " + context.getThisComponentId(), info.tuple);
        }

        @Override
        public void boltAck(BoltAckInfo info) {
            journal.note("hook ack " + context.getThisComponentId(), info.tuple);
        }
    }

    /** Notes the numbers of each window. */
    public static final class Windowed extends BaseWindowedBolt {
        private static final long serialVersionUID = 1L;
        private final String journal;

        Windowed(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

        @Override
        public void execute(TupleWindow window) {
            Journal.of(journal)
                    .note(
                            "windows",
                            window.get().stream()
                                    .map(tuple -> tuple.getInteger(0))
                                    .toList());
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

    /** How long a topology may take to end. */
    protected static final Duration END = Duration.ofSeconds(1);
}
