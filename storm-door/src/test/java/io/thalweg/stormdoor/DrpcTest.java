// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.coordination.BatchOutputCollector;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.drpc.KeyedFairBolt;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.drpc.ReturnResults;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseBatchBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ServiceRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions of DRPC that topologies answer, for calls from this process. */
@Timeout(900)
final class DrpcTest {
    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    private final Journal journal = new Journal();
    private final DrpcCalls calls = new DrpcCalls();
    private final List<StormRun> runs = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (StormRun each : runs) {
            if (!each.job().await(Duration.ZERO)) {
                assertThat(each.stop(Duration.ZERO, BUSY)).isTrue();
            }
        }
        calls.close();
        journal.forget();
    }

    private StormRun start(StormTopology topology) {
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // however busy the machine
        StormRun run = StormDoor.of(topology, conf).start(RunSettings.defaults());
        runs.add(run);
        return run;
    }

    private StormTopology shout(IRichBolt bolt) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("calls", new DRPCSpout("shout", calls));
        topology.setBolt("shout", bolt, 2).shuffleGrouping("calls");
        topology.setBolt("answer", new ReturnResults(), 2).shuffleGrouping("shout");
        return topology.createTopology();
    }

    private Script script(Script.Act act) {
        return new Script(journal, act).emits("result", "return-info");
    }

    private Script holding() {
        return script((tuple, scene) -> scene.journal.note("held", tuple.getString(0)));
    }

    private CompletableFuture<String> call(String function, String argument) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Host.daemon(
                        () -> {
                            try {
                                answer.complete(calls.execute(function, argument));
                            } catch (DRPCExecutionException | RuntimeException e) {
                                answer.completeExceptionally(e);
                            }
                        },
                        "caller")
                .start();
        return answer;
    }

    private static <T> T of(CompletableFuture<T> answer) throws Exception {
        return answer.get(4, TimeUnit.MINUTES);
    }

    private static void shouldFail(CompletableFuture<String> answer, DRPCExceptionType type, String why) {
        assertThatThrownBy(() -> of(answer))
                .hasMessageContaining(why)
                .cause()
                .isInstanceOfSatisfying(
                        DRPCExecutionException.class,
                        failure -> assertThat(failure.get_type()).isEqualTo(type));
    }

    // ---- answers

    /** How many different squares modulo 11 there are of the numbers below one; many calls at a time. */
    @Test
    void shouldAnswerCallsOfALinearTopology() throws Exception {
        LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("distinct");
        builder.addBolt(new Squares(), 3);
        builder.addBolt(new Distinct(), 4).fieldsGrouping(new Fields("id", "square"));
        builder.addBolt(new Sum(), 2).fieldsGrouping(new Fields("id"));
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600);
        // region calls
        StormTopology topology = builder.createLocalTopology(calls); // of a LinearDRPCTopologyBuilder
        StormRun run = StormDoor.of(topology, conf).start(RunSettings.defaults());
        String answer = calls.execute("distinct", "12");
        // endregion
        runs.add(run);
        assertThat(answer).isEqualTo("6"); // 0, 1, 4, 9, 5, 3
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int n = 0; n < 30; n++) {
            answers.add(call("distinct", Integer.toString(n)));
        }
        for (int n = 0; n < 30; n++) {
            long distinct =
                    IntStream.range(0, n).map(i -> i * i % 11).distinct().count();
            assertThat(of(answers.get(n))).isEqualTo(Long.toString(distinct));
        }
    }

    /** Emits the squares of what is below the argument. */
    public static final class Squares extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple call, BasicOutputCollector collector) {
            int below = Integer.parseInt(call.getString(1));
            for (int i = 0; i < below; i++) {
                collector.emit(new Values(call.getValue(0), i * i % 11));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "square"));
        }
    }

    /** Counts those of a call that one task gets. */
    public static final class Distinct extends BaseBatchBolt<Object> {
        private static final long serialVersionUID = 1L;
        private transient BatchOutputCollector collector;
        private transient Object id;
        private transient Set<Object> squares;

        @Override
        public void prepare(
                Map<String, Object> conf, TopologyContext context, BatchOutputCollector output, Object call) {
            collector = output;
            id = call;
            squares = new HashSet<>();
        }

        @Override
        public void execute(Tuple tuple) {
            squares.add(tuple.getValue(1));
        }

        @Override
        public void finishBatch() {
            collector.emit(new Values(id, squares.size()));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "count"));
        }
    }

    /** Adds up what the tasks have counted. */
    public static final class Sum extends BaseBatchBolt<Object> {
        private static final long serialVersionUID = 1L;
        private transient BatchOutputCollector collector;
        private transient Object id;
        private transient int sum;

        @Override
        public void prepare(
                Map<String, Object> conf, TopologyContext context, BatchOutputCollector output, Object call) {
            collector = output;
            id = call;
        }

        @Override
        public void execute(Tuple tuple) {
            sum += tuple.getInteger(1);
        }

        @Override
        public void finishBatch() {
            collector.emit(new Values(id, sum));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "sum"));
        }
    }

    /** One that was made before its topology too. */
    @Test
    void shouldAnswerCallsByABoltWithAThreadOfItsOwn() throws Exception {
        CompletableFuture<String> early = call("shout", "early");
        start(shout(new KeyedFairBolt(new Shout())));
        assertThat(of(early)).isEqualTo("early!");
        assertThat(calls.execute("shout", "late")).isEqualTo("late!");
    }

    /** Adds an exclamation mark. */
    public static final class Shout extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple call, BasicOutputCollector collector) {
            collector.emit(new Values(call.getString(0) + "!", call.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("result", "return-info"));
        }
    }

    // ---- no answer

    @Test
    void shouldFailACallWhoseTupleFails() {
        start(shout(script((tuple, scene) -> scene.collector.fail(tuple))));
        shouldFail(
                call("shout", "a"),
                DRPCExceptionType.FAILED_REQUEST,
                "the topology failed the call of 'shout': a bolt");
    }

    @Test
    void shouldGiveUpACallThatNobodyAnswersInTime() {
        try (DrpcCalls impatient = new DrpcCalls(Duration.ofMillis(1))) {
            assertThatThrownBy(() -> impatient.execute("shout", "a"))
                    .hasMessage("no answer to 'shout' within 1 ms (drpc.request.timeout.secs); no topology that runs"
                            + " answers it")
                    .isInstanceOfSatisfying(
                            DRPCExecutionException.class,
                            failure -> assertThat(failure.get_type()).isEqualTo(DRPCExceptionType.SERVER_TIMEOUT));
            assertThat(impatient.fetchRequest("shout").get_request_id())
                    .as("nobody waits for it")
                    .isEmpty();
        }
    }

    @Test
    void shouldFailCallsWhoseTopologyHasEnded_untilAnotherOneAnswersThem() throws Exception {
        StormRun run = start(shout(holding()));
        CompletableFuture<String> open = call("shout", "a");
        journal.await("held", 1);
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        String why = "topology 'storm', which answered 'shout', has ended";
        shouldFail(open, DRPCExceptionType.FAILED_REQUEST, why);
        shouldFail(call("shout", "b"), DRPCExceptionType.FAILED_REQUEST, why);
        start(shout(new KeyedFairBolt(new Shout())));
        assertThat(calls.execute("shout", "c")).isEqualTo("c!");
    }

    /** One that has taken none is left. */
    @Test
    void shouldFailCallsThatATopologyHasTaken_whichEndsWhereAnotherOneIsLeft() throws Exception {
        StormRun run = start(shout(holding()));
        CompletableFuture<String> taken = call("shout", "a");
        journal.await("held", 1);
        start(shout(new KeyedFairBolt(new Shout())));
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        shouldFail(taken, DRPCExceptionType.FAILED_REQUEST, "topology 'storm', which answered 'shout', has ended");
        assertThat(calls.execute("shout", "b")).isEqualTo("b!");
    }

    /** Though nobody waits for the run, who would be told. */
    @Test
    void shouldFailCallsWhoseTopologyHasFailed() {
        start(shout(script((tuple, scene) -> {
            throw new IllegalStateException("no such table");
        })));
        shouldFail(call("shout", "a"), DRPCExceptionType.FAILED_REQUEST, "has ended");
    }

    /** What bolts still answer is for nobody. */
    @Test
    void shouldFailCallsWhenTheyAreClosed() throws Exception {
        StormRun run = start(shout(script((tuple, scene) -> {
            scene.journal.note("held", tuple.getString(0));
            scene.journal.await("closed", 1);
            scene.collector.emit(tuple, new Values("late", tuple.getValue(1)));
            scene.collector.ack(tuple);
        })));
        CompletableFuture<String> open = call("shout", "a");
        journal.await("held", 1);
        calls.close();
        journal.note("closed", "");
        shouldFail(open, DRPCExceptionType.SERVER_SHUTDOWN, "the LocalDRPC by which 'shout' is called is closed");
        shouldFail(call("shout", "b"), DRPCExceptionType.SERVER_SHUTDOWN, "is closed");
        journal.await(
                "the late answer is taken",
                () -> Runs.ended(run) || Runs.of(run.stats(), "answer").acked() == 1);
        assertThat(run.stop(Duration.ofMinutes(4), BUSY)).isTrue();
        assertThat(ServiceRegistry.getService(calls.getServiceId())).isNull();
    }

    // ---- what is refused

    @Test
    void shouldRefuseCallsOverTheNetwork() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("requests", new DRPCSpout("reach"));
        assertThatThrownBy(() -> StormDoor.of(topology.createTopology(), Map.of()))
                .hasMessageContainingAll("'requests'", "it takes calls from a DRPC server, and there is none");
    }

    @Test
    void shouldRefuseCallsThatAreClosed() {
        StormTopology topology = shout(holding());
        calls.close();
        assertThatThrownBy(() -> StormDoor.of(topology, Map.of()))
                .hasMessageContainingAll("'calls'", "the LocalDRPC that it takes calls from is closed");
    }

    @Test
    void shouldRefuseToLetOtherProcessesAnswer() {
        StormDoor door = StormDoor.of(shout(holding()), Map.of("topology.acker.executors", 0));
        assertThatThrownBy(door::portable)
                .hasMessageContainingAll("'calls'", "the DRPC calls that it takes come from within one process only");
    }
}
