// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.stormlocal.StandIn;
import io.thalweg.stormlocal.Submissions;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.ILocalCluster;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A main that was compiled with Storm's LocalCluster names its methods with the types that they return there. */
@Timeout(600)
@ResourceLock("the submissions of a process")
final class LocalClusterTest {
    @Test
    void shouldHaveTheSignaturesOfStorm() throws Exception {
        Class<?> cluster = LocalCluster.class;
        assertThat(cluster.getMethod("submitTopology", String.class, Map.class, StormTopology.class)
                        .getReturnType())
                .isEqualTo(LocalCluster.LocalTopology.class);
        assertThat(cluster.getMethod(
                                "submitTopologyWithOpts",
                                String.class,
                                Map.class,
                                StormTopology.class,
                                SubmitOptions.class)
                        .getReturnType())
                .isEqualTo(LocalCluster.LocalTopology.class);
        assertThat(LocalCluster.LocalTopology.class)
                .isAssignableTo(StormTopology.class)
                .isAssignableTo(ILocalCluster.ILocalTopology.class);
        assertThat(cluster.getMethod("withLocalModeOverride", Callable.class, long.class)
                        .getReturnType())
                .isEqualTo(Object.class);
        assertThat(LocalCluster.Builder.class.getMethod("build").getReturnType())
                .isEqualTo(cluster);
        assertThat(Modifier.isFinal(cluster.getModifiers())).isFalse();
    }

    @Test
    void shouldRefuseToSimulateTime() {
        assertThatThrownBy(() -> new LocalCluster.Builder().withSimulatedTime())
                .hasMessageContaining("cannot simulate time");
    }

    // ---- what topologies are told

    /** By the name of their topology, the confs that bolts were prepared with. */
    private static final Map<String, CompletableFuture<Map<String, Object>>> CONFS = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private @Nullable Submissions submissions;

    /** As of a main that is about to run. */
    private Nimbus.Iface nimbus() {
        submissions = Submissions.ofMain(new CommandHost(
                LocalClusterTest.class.getClassLoader(), List.of(), folder, null, Duration.ZERO, null, told::add));
        return StandIn.of(submissions);
    }

    @AfterEach
    void end() throws Exception {
        if (submissions != null) {
            for (Submissions.Submitted each : submissions.all()) {
                each.end();
                each.close();
            }
        }
    }

    private static Map<String, Object> confOf(String topology) throws Exception {
        return CONFS.computeIfAbsent(topology, any -> new CompletableFuture<>()).get(4, TimeUnit.MINUTES);
    }

    /** Tells its conf. */
    static final class Told extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            CONFS.computeIfAbsent((String) conf.get(Config.TOPOLOGY_NAME), any -> new CompletableFuture<>())
                    .complete(conf);
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static StormTopology topology() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("told", new Told()).shuffleGrouping("words");
        return topology.createTopology();
    }

    @Test
    void shouldTellTopologiesWhatItsDaemonsAreTold_belowTheirOwn() throws Exception {
        Nimbus.Iface nimbus = nimbus();
        LocalCluster.Builder builder = new LocalCluster.Builder()
                .withDaemonConf(Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 3, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 7))
                .withDaemonConf("of.ours", "daemons");
        try (LocalCluster cluster = builder.build()) {
            cluster.submitTopology("given", Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 9), topology());
            nimbus.submitTopology("submitted", "jar", "{\"of.ours\": \"its own\"}", topology());
            assertThat(confOf("given"))
                    .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 3)
                    .containsEntry(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 9)
                    .containsEntry("of.ours", "daemons");
            assertThat(confOf("submitted"))
                    .containsEntry(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 7)
                    .containsEntry("of.ours", "its own");
        }
        nimbus.submitTopology("after", "jar", "{}", topology());
        assertThat(confOf("after")).doesNotContainKey("of.ours");
    }

    /** As with Storm, where one that is built is meant for tests with a simulated time. */
    @Test
    void shouldLetTuplesTimeOut_unlessItIsBuilt() throws Exception {
        String option = Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS;
        Nimbus.Iface nimbus = nimbus();
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("plain", Map.of(), topology());
            assertThat(confOf("plain")).containsEntry(option, true);
        }
        try (LocalCluster cluster = new LocalCluster.Builder().build()) {
            cluster.submitTopology("built", Map.of(), topology());
            assertThat(confOf("built")).containsEntry(option, false);
        }
        LocalCluster.withLocalModeOverride(
                () -> {
                    nimbus.submitTopology("called", "jar", "{}", topology());
                    nimbus.submitTopology("asks", "jar", "{\"" + option + "\": true}", topology());
                    return null;
                },
                0);
        assertThat(confOf("called")).containsEntry(option, false);
        assertThat(confOf("asks")).containsEntry(option, true);
        nimbus.submitTopology("alone", "jar", "{}", topology());
        assertThat(confOf("alone")).as("of no LocalCluster").containsEntry(option, true);
    }

    private static String status(Nimbus.Iface nimbus, String topology) throws Exception {
        return nimbus.getTopologySummaries().stream()
                .filter(each -> each.get_name().equals(topology))
                .map(TopologySummary::get_status)
                .findFirst()
                .orElse("ended");
    }

    @Test
    void shouldBeginAsTheOptionsOfASubmissionSay() throws Exception {
        Nimbus.Iface nimbus = nimbus();
        SubmitOptions inactive = new SubmitOptions(TopologyInitialStatus.INACTIVE);
        nimbus.submitTopologyWithOpts("inactive", "jar", "{}", topology(), inactive);
        nimbus.submitTopologyWithOpts(
                "active", "jar", "{}", topology(), new SubmitOptions(TopologyInitialStatus.ACTIVE));
        assertThat(status(nimbus, "inactive")).isEqualTo("INACTIVE");
        assertThat(status(nimbus, "active")).isEqualTo("ACTIVE");
        nimbus.activate("inactive");
        assertThat(status(nimbus, "inactive")).isEqualTo("ACTIVE");
        nimbus.deactivate("inactive");
        assertThat(status(nimbus, "inactive")).isEqualTo("INACTIVE");
        try (LocalCluster cluster = new LocalCluster()) {
            inactive.set_creds(new Credentials(Map.of("key", "secret")));
            cluster.submitTopologyWithOpts("local", Map.of(), topology(), inactive);
            assertThat(status(nimbus, "local")).isEqualTo("INACTIVE");
            cluster.activate("local");
            assertThat(status(nimbus, "local")).isEqualTo("ACTIVE");
        }
        assertThat(told)
                .containsExactly(
                        "topology 'inactive' runs, inactive until it is activated",
                        "topology 'active' runs",
                        "topology 'local' is submitted with credentials, which no component gets here",
                        "topology 'local' runs, inactive until it is activated");
    }
}
