// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormlocal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.Testing;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.CompleteTopologyParam;
import org.apache.storm.testing.FixedTuple;
import org.apache.storm.testing.MkClusterParam;
import org.apache.storm.testing.MkTupleParam;
import org.apache.storm.testing.MockedSources;
import org.apache.storm.testing.TestAggregatesCounter;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of topologies as Storm's users write them, with the stand-in in place of Storm's own helpers. */
@Timeout(600)
final class TestingTest {
    /** What a busy machine may take. */
    private static final int BUSY_MS = 300_000;

    private static StormTopology words() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("1", new TestWordSpout(true), 3);
        builder.setBolt("2", new TestWordCounter(), 4).fieldsGrouping("1", new Fields("word"));
        builder.setBolt("3", new TestGlobalCount()).globalGrouping("1");
        builder.setBolt("4", new TestAggregatesCounter()).globalGrouping("2");
        return builder.createTopology();
    }

    private static CompleteTopologyParam param(String mocked) {
        MockedSources sources = new MockedSources();
        sources.addMockData(mocked, new Values("nathan"), new Values("bob"), new Values("joey"), new Values("nathan"));
        CompleteTopologyParam param = new CompleteTopologyParam();
        param.setMockedSources(sources);
        param.setTimeoutMs(BUSY_MS);
        return param;
    }

    private static void check(Map<String, List<FixedTuple>> results) {
        assertThat(Testing.readTuples(results, "1"))
                .containsExactly(new Values("nathan"), new Values("bob"), new Values("joey"), new Values("nathan"));
        assertThat(Testing.multiseteq(
                        List.of(
                                new Values("nathan", 1),
                                new Values("nathan", 2),
                                new Values("bob", 1),
                                new Values("joey", 1)),
                        Testing.readTuples(results, "2")))
                .as("%s", results)
                .isTrue();
        List<List<Object>> counts = List.of(new Values(1), new Values(2), new Values(3), new Values(4));
        assertThat(Testing.readTuples(results, "3")).isEqualTo(counts);
        assertThat(Testing.readTuples(results, "4")).isEqualTo(counts);
        assertThat(Testing.readTuples(results, "4", "other")).isEmpty();
        assertThat(Testing.readTuples(results, "5")).isEmpty();
    }

    @Test
    void shouldReturnWhatComponentsEmit() {
        StormTopology topology = words();
        StormTopology before = topology.deepCopy();
        MkClusterParam cluster = new MkClusterParam();
        cluster.setSupervisors(4);
        cluster.setDaemonConf(Map.of(Config.TOPOLOGY_DEBUG, false));
        Testing.withSimulatedTimeLocalCluster(cluster, its -> {
            CompleteTopologyParam param = param("1");
            param.setStormConf(new Config());
            check(Testing.completeTopology(its, topology, param));
            check(Testing.completeTopology(its, topology, param)); // and again
        });
        assertThat(topology).isEqualTo(before);
    }

    @Test
    void shouldCount() {
        StormTopology topology = words();
        // region testing
        MockedSources sources = new MockedSources();
        sources.addMockData("1", new Values("the"), new Values("moon"), new Values("the"));
        CompleteTopologyParam param = new CompleteTopologyParam();
        param.setMockedSources(sources);
        param.setTimeoutMs(300_000);
        Testing.withLocalCluster(cluster -> {
            Map<String, List<FixedTuple>> results = Testing.completeTopology(cluster, topology, param);
            assertThat(Testing.readTuples(results, "3")).containsExactly(new Values(1), new Values(2), new Values(3));
        });
        // endregion
    }

    /** Nothing waits for acks then: what is on its way is executed before the topology ends. */
    @Test
    void shouldReturnWhatComponentsEmit_withoutAckers() {
        Testing.withLocalCluster(its -> {
            CompleteTopologyParam param = param("1");
            param.setStormConf(Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0));
            param.setTopologyName("words");
            check(Testing.completeTopology(its, words(), param));
            assertThat(its.getClusterInfo().get_topologies()).isEmpty();
        });
    }

    @Test
    void shouldRefuseWhatNeverEnds() {
        Testing.withLocalCluster(its -> {
            assertThatThrownBy(() -> Testing.completeTopology(its, words()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "spout '1' never says that it has no more tuples; mock it, or make it a CompletableSpout");
            assertThatThrownBy(() -> Testing.completeTopology(its, words(), param("2")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the topology has no spout '2' to mock; it has [1]");
            assertThat(its.getClusterInfo().get_topologies()).isEmpty();
        });
    }

    /** It fails at a tuple, or never acks one. */
    static final class Bad extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private final boolean fails;

        Bad(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

        @Override
        public void execute(Tuple tuple) {
            if (fails) {
                throw new IllegalStateException("no " + tuple.getString(0));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static StormTopology bad(boolean fails) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("1", new TestWordSpout());
        builder.setBolt("bad", new Bad(fails)).shuffleGrouping("1");
        return builder.createTopology();
    }

    @Test
    void shouldThrowTheFailureOfATopology() {
        Testing.withLocalCluster(its -> assertThatThrownBy(() -> Testing.completeTopology(its, bad(true), param("1")))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'bad'")
                .hasMessageContaining("no nathan"));
    }

    @Test
    void shouldEndWhatTakesTooLong() {
        Testing.withLocalCluster(its -> {
            CompleteTopologyParam param = param("1");
            param.setTopologyName("slow");
            param.setTimeoutMs(200);
            assertThatThrownBy(() -> Testing.completeTopology(its, bad(false), param))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("topology 'slow' has not acked or failed all of its tuples within 200 ms;");
            while (!its.getClusterInfo().get_topologies().isEmpty()) { // it may not even be open yet
                LockSupport.parkNanos(10_000_000);
            }
        });
    }

    @Test
    void shouldMakeTuples() {
        Tuple plain = Testing.testTuple(List.of("a", 2L));
        assertThat(plain.getStringByField("field1")).isEqualTo("a");
        assertThat(plain.getLongByField("field2")).isEqualTo(2);
        assertThat(plain.getSourceComponent()).isEqualTo("component");
        assertThat(plain.getSourceStreamId()).isEqualTo("default");

        MkTupleParam param = new MkTupleParam();
        param.setStream("late");
        param.setComponent("windows");
        param.setFields("word", "count");
        Tuple tuple = Testing.testTuple(List.of("a", 2L), param);
        assertThat(tuple.getLongByField("count")).isEqualTo(2);
        assertThat(tuple.getSourceComponent()).isEqualTo("windows");
        assertThat(tuple.getSourceStreamId()).isEqualTo("late");
    }

    @Test
    void shouldRefuseWhatIsMissing() throws Exception {
        try (LocalCluster cluster = (LocalCluster) Testing.getLocalCluster(Map.of())) {
            assertThatThrownBy(() -> Testing.advanceClusterTime(cluster, 1))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("cannot simulate time");
        }
        assertThatThrownBy(() -> Testing.withTrackedCluster(its -> {}))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("cannot track tuples");
    }
}
