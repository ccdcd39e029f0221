// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A LocalCluster in a test of a user's: nothing of Thalweg is named but where it fails. */
@Timeout(600)
final class LocalClusterTest {
    /** What came to the end of a topology, by the topology's name and the number of the cluster. */
    private static final Map<String, BlockingQueue<String>> RECEIVED = new ConcurrentHashMap<>();

    /** None fails because the machine was busy. */
    private static final Map<String, Object> PATIENT = Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600);

    private static BlockingQueue<String> received(String where) {
        return RECEIVED.computeIfAbsent(where, any -> new LinkedBlockingQueue<>());
    }

    private static String first(String where) throws InterruptedException {
        String word = received(where).poll(4, TimeUnit.MINUTES);
        assertThat(word).as(where).isNotNull();
        return word == null ? "" : word;
    }

    static final class Exclaim extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(tuple.getString(0) + "!"));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    static final class Receive extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final String where;

        Receive(String where) {
            this.where = where;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            received(where + " code").add(context.getCodeDir());
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (where.equals("fails")) {
                throw new IllegalStateException("no such table");
            }
            received(where).add(tuple.getString(0));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // nothing continues from here
        }
    }

    private static StormTopology topology(String where) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("exclaim", new Exclaim(), 2).shuffleGrouping("words");
        topology.setBolt("receive", new Receive(where)).globalGrouping("exclaim");
        return topology.createTopology();
    }

    @Test
    void shouldRunTopologies() throws Exception {
        // region test
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("words", new Config(), topology("words"));
            assertThat(first("words")).endsWith("!");
        }
        // endregion
    }

    @Test
    void shouldGiveTheFolderOfScriptsOnTheClassPath() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("scripts", new Config(), topology("scripts"));
            assertThat(Files.readString(Path.of(first("scripts code"), "script.txt")))
                    .contains("multilang");
        }
    }

    /** Tests that run beside each other may name their topologies alike. */
    @Test
    void shouldNotKnowTopologiesOfAnotherCluster() throws Exception {
        try (LocalCluster one = new LocalCluster();
                LocalCluster other = new LocalCluster()) {
            one.submitTopology("test", new Config(), topology("one"));
            other.submitTopology("test", new Config(), topology("other"));
            first("one");
            first("other");
            one.killTopology("test");
            assertThat(other.getTopologySummaries())
                    .extracting(TopologySummary::get_status)
                    .containsExactly("ACTIVE");
        }
    }

    @Test
    void shouldTellOfItsTopologies() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("told", Map.of(), topology("told"));
            cluster.deactivate("told");
            assertThat(cluster.getClusterInfo().get_topologies())
                    .extracting(TopologySummary::get_name, TopologySummary::get_status)
                    .containsExactly(org.assertj.core.groups.Tuple.tuple("told", "INACTIVE"));
            assertThatThrownBy(() -> cluster.submitTopology("told", Map.of(), topology("told")))
                    .isInstanceOf(AlreadyAliveException.class);
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            cluster.killTopologyWithOpts("told", now);
            while (!cluster.getTopologySummaries().isEmpty()) {
                LockSupport.parkNanos(10_000_000);
            }
            assertThatThrownBy(() -> cluster.activate("told")).isInstanceOf(NotAliveException.class);
            assertThatThrownBy(() -> cluster.deactivate("told")).isInstanceOf(NotAliveException.class);
            cluster.killTopologyWithOpts("told", now); // as LocalTopology.close does, whatever has ended it
            cluster.submitTopology("told", Map.of(), topology("told again"));
            first("told again");
        }
    }

    @Test
    void shouldThrowTheFailureOfATopologyWhenItIsClosed() throws Exception {
        LocalCluster cluster = new LocalCluster();
        cluster.submitTopology("healthy", Map.of(), topology("healthy"));
        cluster.submitTopology("fails", Map.of(), topology("fails"));
        while (cluster.getTopologySummaries().size() > 1) { // a failed one has ended
            LockSupport.parkNanos(10_000_000);
        }
        first("healthy");
        assertThatThrownBy(cluster::close)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("receive")
                .hasMessageContaining("no such table");
        awaitEnd(cluster); // the other has ended too, perhaps some moments later
    }

    /** Ten numbers, the odd ones on a stream of their own. */
    static final class Ten extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final String where;
        private transient SpoutOutputCollector collector;
        private transient int next;

        Ten(String where) {
            this.where = where;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
            received(where).add(context.getStormId());
        }

        @Override
        public void nextTuple() {
            if (next < 10) {
                int n = next++;
                collector.emit(n % 2 == 0 ? "default" : "odd", new Values(n), n);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
            declarer.declareStream("odd", new Fields("n"));
        }
    }

    /** Fails nine, and passes the others on, to nobody. */
    static final class PassOn extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            collector = output;
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getInteger(0) == 9) {
                collector.reportError(new IllegalStateException("not nine"));
                collector.reportError(new IllegalStateException("not nine again"));
                collector.fail(tuple);
            } else {
                collector.emit(tuple, tuple.getValues());
                collector.ack(tuple);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
        }
    }

    private static StormTopology ten(String where) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("ten", new Ten(where));
        topology.setBolt("pass", new PassOn(), 2)
                .setNumTasks(4)
                .globalGrouping("ten")
                .globalGrouping("ten", "odd");
        return topology.createTopology();
    }

    private static ExecutorSummary executor(TopologyInfo info, String component) {
        return info.get_executors().stream()
                .filter(each -> each.get_component_id().equals(component))
                .min(Comparator.comparing(ExecutorSummary::get_executor_info))
                .orElseThrow();
    }

    /** As users poll it: nothing is there before something is counted. */
    private static long settled(TopologyInfo info) {
        SpoutStats spout = executor(info, "ten").get_stats().get_specific().get_spout();
        return allTime(spout.get_acked()) + allTime(spout.get_failed());
    }

    private static long executed(TopologyInfo info) {
        return allTime(
                executor(info, "pass").get_stats().get_specific().get_bolt().get_executed());
    }

    private static <K> long allTime(Map<String, Map<K, Long>> counts) {
        return counts.getOrDefault(":all-time", Map.of()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void shouldTellWhatExecutorsDid() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("ten", PATIENT, ten("ten"));
            await("all are executed, and acked or failed", () -> {
                TopologyInfo info = cluster.getTopologyInfoByName("ten");
                return settled(info) == 10 && executed(info) == 10;
            });

            TopologySummary summary = cluster.getTopologySummaries().get(0);
            String id = summary.get_id();
            assertThat(id).isEqualTo(first("ten")).startsWith("ten-");
            assertThat(List.of(summary.get_num_executors(), summary.get_num_tasks()))
                    .containsExactly(3, 5);
            // region info
            TopologyInfo info = cluster.getTopologyInfoByName("ten");
            for (ExecutorSummary each : info.get_executors()) {
                Map<String, Long> emitted = each.get_stats().get_emitted().get(":all-time");
                System.out.println(each.get_component_id() + " emitted " + emitted); // ten emitted {default=5, odd=5}
            }
            // endregion
            assertThat(cluster.getTopologyInfo(id).get_executors_size()).isEqualTo(3);
            assertThat(List.of(info.get_id(), info.get_name(), info.get_status()))
                    .containsExactly(id, "ten", "ACTIVE");
            assertThat(info.get_uptime_secs()).isNotNegative();

            ExecutorStats ten = executor(info, "ten").get_stats();
            assertThat(ten.get_emitted().get(":all-time")).isEqualTo(Map.of("default", 5L, "odd", 5L));
            assertThat(ten.get_emitted().get("600")).isEqualTo(Map.of("default", 5L, "odd", 5L));
            assertThat(ten.get_transferred().get(":all-time")).isEqualTo(Map.of("default", 5L, "odd", 5L));
            SpoutStats spout = ten.get_specific().get_spout();
            assertThat(spout.get_acked().get(":all-time")).isEqualTo(Map.of("default", 5L, "odd", 4L));
            assertThat(spout.get_failed().get(":all-time")).isEqualTo(Map.of("odd", 1L));
            assertThat(spout.get_complete_ms_avg().get(":all-time"))
                    .as("of each stream that was acked, though one time in 20 is taken")
                    .containsOnlyKeys("default", "odd");
            assertThat(ten.get_rate()).isEqualTo(0.05);

            ExecutorSummary first = executor(info, "pass");
            assertThat(first.get_executor_info().get_task_end()
                            - first.get_executor_info().get_task_start())
                    .as("two tasks")
                    .isEqualTo(1);
            ExecutorStats pass = first.get_stats();
            assertThat(pass.get_emitted().get(":all-time")).isEqualTo(Map.of("default", 9L));
            assertThat(pass.get_transferred()).as("to nobody").isEmpty();
            BoltStats bolt = pass.get_specific().get_bolt();
            GlobalStreamId even = new GlobalStreamId("ten", "default");
            GlobalStreamId odd = new GlobalStreamId("ten", "odd");
            assertThat(bolt.get_executed().get(":all-time")).isEqualTo(Map.of(even, 5L, odd, 5L));
            assertThat(bolt.get_acked().get(":all-time")).isEqualTo(Map.of(even, 5L, odd, 4L));
            assertThat(bolt.get_failed().get(":all-time")).isEqualTo(Map.of(odd, 1L));
            assertThat(bolt.get_execute_ms_avg().get(":all-time")).containsOnlyKeys(even, odd);
            assertThat(bolt.get_process_ms_avg().get(":all-time")).containsOnlyKeys(even, odd);
        }
    }

    @Test
    void shouldTellOfErrors() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("errors", PATIENT, ten("errors"));
            await("nine has failed", () -> settled(cluster.getTopologyInfoByName("errors")) == 10);
            assertThat(cluster.getTopologyInfoByName("errors").get_errors().get("pass"))
                    .extracting(ErrorInfo::get_error)
                    .satisfiesExactly(
                            newest -> assertThat(newest).contains("not nine again\n", "at "),
                            older -> assertThat(older).contains("not nine\n"));
            assertThat(errors(cluster, NumErrorsChoice.ONE)).containsExactly(0, 1);
            assertThat(errors(cluster, NumErrorsChoice.NONE)).containsExactly(0, 0);
        }
    }

    private static List<Integer> errors(LocalCluster cluster, NumErrorsChoice most) throws Exception {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(most);
        TopologyInfo info = cluster.getTopologyInfoByNameWithOpts("errors", options);
        assertThat(cluster.getTopologyInfoWithOpts(info.get_id(), options).get_errors())
                .isEqualTo(info.get_errors());
        return List.of(
                info.get_errors().get("ten").size(),
                info.get_errors().get("pass").size());
    }

    @Test
    void shouldTellOfWhatWasSubmitted() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("conf", Map.of("of the test", "here"), ten("conf"));
            String id = cluster.getTopologySummaryByName("conf").get_id();
            assertThat(cluster.getTopologySummary(id).get_name()).isEqualTo("conf");
            assertThat(cluster.getTopologyConf(id)).contains("\"of the test\":\"here\"");
            assertThat(cluster.getTopology(id).get_bolts()).containsOnlyKeys("pass");
        }
    }

    @Test
    void shouldKnowNoTopologyThatDoesNotRun() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("gone", PATIENT, ten("gone"));
            String id = cluster.getTopologySummaryByName("gone").get_id();
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            cluster.killTopologyWithOpts("gone", now);
            awaitEnd(cluster);
            assertThatThrownBy(() -> cluster.getTopologyInfo(id))
                    .isInstanceOfSatisfying(
                            NotAliveException.class,
                            e -> assertThat(e.get_msg()).isEqualTo(id + " is not alive"));
            assertThatThrownBy(() -> cluster.getTopologyInfo("gone")).isInstanceOf(NotAliveException.class);
            assertThatThrownBy(() -> cluster.getTopologyInfoByName("other")).isInstanceOf(NotAliveException.class);
            assertThatThrownBy(() -> cluster.getTopologySummary("other")).isInstanceOf(NotAliveException.class);
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long sinceNs = System.nanoTime();
        while (!condition.call()) {
            assertThat(System.nanoTime() - sinceNs).as(what).isLessThan(TimeUnit.MINUTES.toNanos(4));
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static void awaitEnd(LocalCluster cluster) throws Exception {
        await("its end", () -> cluster.getTopologySummaries().isEmpty());
    }

    /** One value more than its stream has fields. */
    static final class Wide extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            received("wide").add(String.valueOf(conf.get(Config.STORM_CLUSTER_MODE)));
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(new Values(tuple.getString(0), 1));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** On a cluster nobody checks it, which is what such a test is for. */
    @Test
    void shouldRefuseATupleWithOtherValuesThanFields() throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("wide", new Wide()).shuffleGrouping("words");
        LocalCluster cluster = new LocalCluster();
        cluster.submitTopology("wide", Map.of(), topology.createTopology());
        assertThat(first("wide")).isEqualTo("local");
        awaitEnd(cluster);
        assertThatThrownBy(cluster::close)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("'wide'")
                .hasMessageContaining("Tuple created with wrong number of fields. Expected 1 fields but got 2 fields");
    }

    @Test
    void shouldRefuseAConfThatIsNoJson() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            Map<String, Object> conf = Map.of("fine", List.of(1, 2.5, "text", true), "odd", new BitSet());
            assertThatThrownBy(() -> cluster.submitTopology("odd", conf, topology("odd")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("topology 'odd': the value of 'odd' in its conf is not JSON");
            assertThat(cluster.getTopologySummaries()).isEmpty();
        }
    }

    /** Nobody would end it. */
    @Test
    void shouldTakeNoTopology_whenItIsClosed() throws Exception {
        LocalCluster cluster = new LocalCluster();
        cluster.close();
        assertThatThrownBy(() -> cluster.submitTopology("late", Map.of(), topology("late")))
                .hasMessage("topology 'late' is submitted to a LocalCluster that is closed; make another one");
        assertThat(cluster.getTopologySummaries()).isEmpty();
    }

    /** As where a time limit of the test is over. */
    @Test
    void shouldEndAllTopologies_alsoIfItsThreadIsInterrupted() throws Exception {
        LocalCluster cluster = new LocalCluster();
        for (String each : List.of("interrupted 1", "interrupted 2")) {
            cluster.submitTopology(each, Map.of(), topology(each));
            first(each);
        }
        Thread.currentThread().interrupt();
        try {
            cluster.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        awaitEnd(cluster);
    }

    @Test
    void shouldTakeWhatIsSubmittedToNimbusMeanwhile() throws Exception {
        String result = LocalCluster.withLocalModeOverride(
                () -> {
                    try (NimbusClient client = NimbusClient.Builder.withConf(Utils.readStormConfig())
                            .build()) {
                        client.getClient().submitTopology("submitted", "jar", "{}", topology("submitted"));
                    }
                    return first("submitted");
                },
                0);
        assertThat(result).endsWith("!");
    }

    @Test
    void shouldEndWhatWasSubmitted_ifTheCallFails() {
        List<TopologySummary> left = new ArrayList<>();
        NimbusClient[] clients = new NimbusClient[1];
        assertThatThrownBy(() -> LocalCluster.withLocalModeOverride(
                        () -> {
                            clients[0] = NimbusClient.Builder.withConf(Utils.readStormConfig())
                                    .build();
                            clients[0].getClient().submitTopology("left", "jar", "{}", topology("left"));
                            throw new IllegalStateException("the test fails");
                        },
                        0))
                .hasMessage("the test fails");
        assertThatCode(() -> left.addAll(clients[0].getClient().getTopologySummaries()))
                .doesNotThrowAnyException();
        assertThat(left).isEmpty();
    }

    @Test
    void shouldNameWhatItCannotDo() throws Exception {
        assertThatThrownBy(() -> new LocalCluster.Builder().withSimulatedTime())
                .hasMessage(
                        "this LocalCluster, which is Thalweg's, cannot simulate time; it takes topologies, tells what they do, and kills,"
                                + " activates and deactivates them");
        try (LocalCluster cluster = new LocalCluster()) {
            assertThatThrownBy(() -> cluster.getClusterState()).hasMessageContaining("cannot tell its state");
        }
    }
}
