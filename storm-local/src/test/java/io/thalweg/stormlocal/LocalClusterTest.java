// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
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
        assertThat(cluster.getTopologySummaries()).as("the other has ended too").isEmpty();
    }

    private static void awaitEnd(LocalCluster cluster) throws Exception {
        long sinceNs = System.nanoTime();
        while (!cluster.getTopologySummaries().isEmpty()) {
            assertThat(System.nanoTime() - sinceNs).isLessThan(TimeUnit.MINUTES.toNanos(1));
            LockSupport.parkNanos(10_000_000);
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
                        "this LocalCluster, which is Thalweg's, cannot simulate time; it takes topologies, and kills,"
                                + " activates and deactivates them");
        try (LocalCluster cluster = new LocalCluster()) {
            assertThatThrownBy(() -> cluster.getTopologyInfo("any")).hasMessageContaining("cannot tell of topologies");
        }
    }
}
