// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import org.apache.storm.hooks.info.BoltFailInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.hooks.info.SpoutFailInfo;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.Stream;
import org.apache.storm.streams.StreamBuilder;
import org.apache.storm.streams.operations.mappers.ValueMapper;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What Storm promises to spouts and bolts whose tuples nobody acks: groupings, tasks, ticks, windows, the end. */
public abstract class UnackedStormSemantics {
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

    /** Whether each executor has a thread of its own. */
    protected boolean ownThreads() {
        return true;
    }

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
        settings.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // none fails because the machine was busy
        for (int i = 0; i < conf.length; i += 2) {
            settings.put((String) conf[i], conf[i + 1]);
        }
        submitted = submit("semantics-" + journal.id, settings, topology);
        return submitted;
    }

    final TopologyBuilder numbers(int many, int tasks) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, many), tasks);
        return topology;
    }

    final Script noting(String page) {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note(page, tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
    }

    /** Notes which task got which number. */
    final Script noting() {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note("at " + scene.context.getThisTaskIndex(), tuple.getInteger(0));
            scene.journal.note("all", tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
    }

    final Script passing() {
        return new Script(journal, (tuple, scene) -> {
                    scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
                    scene.collector.ack(tuple);
                })
                .emits("n");
    }

    static Object[] upTo(int many) {
        return IntStream.range(0, many).boxed().toArray();
    }

    static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
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
        journal.await("pairs", 1000);
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
        journal.await("all", 60);
        for (int task = 0; task < 3; task++) {
            assertThat(journal.page("at " + task)).containsExactlyInAnyOrder(upTo(20));
        }
    }

    @Test
    void shouldSendToTheFirstTaskIfGlobal() throws Exception {
        TopologyBuilder topology = numbers(20, 2);
        topology.setBolt("end", noting(), 3).globalGrouping("numbers");
        run(topology);
        journal.await("all", 20);
        assertThat(journal.page("at 0")).containsExactlyInAnyOrder(upTo(20));
    }

    @Test
    void shouldDeliverOnceWithGroupingsThatLeaveItOpen() throws Exception {
        TopologyBuilder topology = numbers(60, 1);
        topology.setBolt("none", noting("none"), 3).noneGrouping("numbers");
        topology.setBolt("local", noting("local"), 3).localOrShuffleGrouping("numbers");
        run(topology);
        journal.await("none", 60);
        journal.await("local", 60);
        assertThat(journal.page("none")).containsExactlyInAnyOrder(upTo(60));
        assertThat(journal.page("local")).containsExactlyInAnyOrder(upTo(60));
    }

    @Test
    void shouldSplitAKeyOverTwoTasksIfPartial() throws Exception {
        TopologyBuilder topology = numbers(400, 1);
        topology.setBolt("end", noting(), 5).partialKeyGrouping("numbers", new Fields("key"));
        run(topology);
        journal.await("all", 400);
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
        journal.await("all", 40);
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
        journal.await("all", 30);
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
        journal.await("evens", 20);
        journal.await("odds", 20);
        journal.await("both even", 20);
        journal.await("both odd", 20);
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
        journal.await("tasks", 5);
        assertThat(journal.page("sent")).isEqualTo(journal.page("tasks"));
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
        journal.await("threads", 360);
        assertThat(new HashSet<>(journal.page("prepared end"))).hasSize(6);
        assertThat(new HashSet<>(journal.page("threads"))).hasSizeBetween(1, 2);
        if (ownThreads()) {
            assertThat(new HashSet<>(journal.page("threads"))).hasSize(2);
        }
        for (int task = 0; task < 6; task++) {
            assertThat(journal.page("at " + task)).containsExactlyInAnyOrder(upTo(60));
        }
    }

    /** Not more often than it was asked to; how often it ticks by a clock that can be set, the door's own tests show. */
    @Test
    void shouldTick() throws Exception {
        long beganNs = System.nanoTime();
        TopologyBuilder topology = numbers(5, 1);
        topology.setBolt(
                        "ticking",
                        new Script(journal, (tuple, scene) -> {
                            if (TupleUtils.isTick(tuple)) {
                                scene.journal.note("ticks", tuple.getSourceComponent() + tuple.getSourceStreamId());
                                scene.journal.note("at " + scene.context.getThisTaskIndex(), tuple.getValue(0));
                                scene.journal.note("when " + scene.context.getThisTaskIndex(), System.nanoTime());
                            }
                            scene.collector.ack(tuple);
                        }),
                        2)
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        run(topology);
        journal.await("when 0", 3);
        journal.await("when 1", 3);
        for (int task = 0; task < 2; task++) {
            assertThat((long) journal.page("when " + task).get(2) - beganNs)
                    .as("the third tick, a second after the second one")
                    .isGreaterThan(2_500_000_000L);
            assertThat(journal.page("at " + task)).containsOnly(1);
        }
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
        journal.await("count", 1);
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
        journal.await("hook execute end", 10);
        assertThat(journal.page("default by pass")).hasSize(10);
    }

    @Test
    void shouldNotStallOthersBehindABoltThatBlocks() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt("blocks", new Script(journal, (tuple, scene) -> {
                    scene.journal.await("fast", 20);
                    scene.journal.note("unblocked", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        topology.setBolt("fast", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("fast", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("unblocked", 20);
    }

    @Test
    void shouldCloseSpoutsAndCleanUpBolts() throws Exception {
        TopologyBuilder topology = numbers(20, 2);
        topology.setBolt("end", noting("end"), 3).shuffleGrouping("numbers");
        Submitted running = run(topology);
        journal.await("end", 20);
        running.kill();
        journal.await("deactivated", 2);
        journal.await("closed", 2);
        journal.await("cleaned up", 3);
    }

    // ---- windows

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
        journal.await("all are in windows", () -> windowed().size() >= 30);
        assertThat(windowed()).containsExactly(upTo(30));
    }

    /** By the times in the tuples, so each window has what it should. They end inclusively. */
    @Test
    void shouldSlideWindowsByDuration() throws Exception {
        TopologyBuilder topology = numbers(20, 1);
        topology.setBolt(
                        "times",
                        new Script(journal, (tuple, scene) -> {
                                    int n = tuple.getInteger(0);
                                    scene.collector.emit(tuple, new Values(n, 100_000_000 + (n + 1) * 1000L));
                                    scene.collector.ack(tuple);
                                })
                                .emits("n", "ts"))
                .globalGrouping("numbers");
        topology.setBolt(
                        "window",
                        new Windowed(journal)
                                .withWindow(BaseWindowedBolt.Duration.seconds(10), BaseWindowedBolt.Duration.seconds(5))
                                .withTimestampField("ts")
                                .withLag(BaseWindowedBolt.Duration.of(0))
                                .withWatermarkInterval(BaseWindowedBolt.Duration.of(100)))
                .globalGrouping("times");
        run(topology);
        journal.await("windows", 4);
        assertThat(journal.page("windows")).containsExactly(range(0, 5), range(0, 10), range(5, 15), range(10, 20));
    }

    private List<Object> windowed() {
        return journal.page("windows").stream()
                .flatMap(window -> ((List<?>) window).stream())
                .map(Object.class::cast)
                .toList();
    }

    /** And not of Storm's own, whose fields have names that no class of Python takes. */
    @Test
    void shouldTellATaskOfTheStreamsThatAreDeclared() throws Exception {
        TopologyBuilder topology = numbers(1, 1);
        topology.setBolt(
                        "pass",
                        new Script(journal, (tuple, scene) -> {
                                    scene.journal.note("own", scene.context.getThisStreams());
                                    scene.journal.note("before", scene.context.getComponentStreams("numbers"));
                                    scene.journal.note(
                                            "sources",
                                            scene.context.getThisSources().size());
                                    scene.collector.ack(tuple);
                                })
                                .emitsTo("other", "n"))
                .shuffleGrouping("numbers");
        run(topology);
        journal.await("sources", 1);
        assertThat(journal.page("own")).containsExactly(Set.of("other"));
        assertThat(journal.page("before")).containsExactly(Set.of("default"));
        assertThat(journal.page("sources")).containsExactly(1);
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

    /** The first word of a number is {@code even} or {@code odd}, the second {@code small} or {@code large}. */
    @Test
    @SuppressWarnings("unchecked") // an array of predicates with type parameters
    void shouldReduceByKeyWhatBranchesOfTheStreamsApiEmit() throws Exception {
        String id = journal.id;
        StreamBuilder builder = new StreamBuilder();
        // Storm asks the predicates in the order of a HashMap, so only one may be true.
        Stream<Integer>[] branches = builder.newStream(new Numbers(journal, MANY), new ValueMapper<Integer>(0), 2)
                .branch(n -> n < MANY / 2, n -> n >= MANY / 2);
        branches[0]
                .flatMap(n -> List.of(n % 2 == 0 ? "even" : "odd", "small"))
                .mapToPair(word -> Pair.of(word, 1))
                .reduceByKey(Integer::sum)
                .forEach(pair -> Journal.of(id).note("words", List.of(pair.getFirst(), pair.getSecond())));
        branches[1]
                .mapToPair(n -> Pair.of("large", n))
                .reduceByKey(Integer::sum)
                .forEach(pair -> Journal.of(id).note("words", List.of(pair.getFirst(), pair.getSecond())));
        run(builder.build());
        Set<Object> last = Set.of(
                List.of("even", MANY / 4),
                List.of("odd", MANY / 4),
                List.of("small", MANY / 2),
                List.of("large", IntStream.range(MANY / 2, MANY).sum()));
        journal.await("all are counted", () -> journal.page("words").containsAll(last));
        assertThat(journal.page("words")).hasSize(2 * (MANY / 2) + MANY / 2);
    }

    @Test
    void shouldRunSpoutsAndBoltsThatAreLambdas() throws Exception {
        String id = journal.id;
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", () -> Journal.of(id).counter("next").getAndIncrement());
        topology.setBolt(
                        "double",
                        (tuple, collector) -> collector.emit(new Values(tuple.getInteger(0) * 2, "doubled")),
                        "n",
                        "text")
                .shuffleGrouping("numbers");
        topology.setBolt("note", tuple -> {
                    if (tuple.getIntegerByField("n") < 2 * MANY) { // the spout has no end
                        Journal.of(id).note(tuple.getStringByField("text"), tuple.getIntegerByField("n"));
                    }
                })
                .shuffleGrouping("double");
        run(topology);
        journal.await("doubled", MANY);
        assertThat(journal.page("doubled"))
                .containsExactly(
                        IntStream.range(0, MANY).map(n -> 2 * n).boxed().toArray());
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

        @Override
        public void boltFail(BoltFailInfo info) {
            journal.note("hook fail " + context.getThisComponentId(), info.tuple.getValue(0));
        }

        @Override
        public void spoutAck(SpoutAckInfo info) {
            journal.note("hook acked " + context.getThisComponentId(), info.messageId);
        }

        @Override
        public void spoutFail(SpoutFailInfo info) {
            journal.note("hook failed " + context.getThisComponentId(), info.messageId);
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

    /** How long a topology may take to end. */
    protected static final Duration END = Duration.ofSeconds(1);
}
