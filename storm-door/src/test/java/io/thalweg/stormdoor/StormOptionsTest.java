// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.graph.TopologyException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

final class StormOptionsTest {
    private static void refuses(String option, Object value, String problem) {
        assertThat(StormOptions.problem(Collections.singletonMap(option, value)))
                .isEqualTo(option + " " + problem);
    }

    @Test
    void shouldNameOptionAndValue_andWhatStormExpects() {
        String number = "must be an Integer within type range; it is ";
        refuses(Config.TOPOLOGY_MAX_SPOUT_PENDING, "ten", number + "\"ten\"");
        refuses(Config.TOPOLOGY_MAX_SPOUT_PENDING, "10", number + "\"10\"");
        refuses(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1.5, number + "1.5");
        refuses(Config.TOPOLOGY_WORKERS, 1L << 40, number + "1099511627776");
        refuses(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, -1, "must be a Positive Number; it is -1");
        refuses(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, null, "cannot be null; it is null");
        refuses(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0, "must be a Positive Number; it is 0");
        refuses(Config.TOPOLOGY_DEBUG, "yes", "must be of type Boolean; it is \"yes\"");
        refuses(Config.TOPOLOGY_NAME, 5, "must be of type String; it is 5");
        refuses(Config.TOPOLOGY_ENVIRONMENT, List.of("A=1"), "must be a Map; it is [A=1]");
        refuses("drpc.request.timeout.secs", "soon", number + "\"soon\"");
        refuses("drpc.request.timeout.secs", 0, "must be a Positive Number; it is 0");
    }

    @Test
    void shouldSayWhatIsWrongWithinAList() {
        assertThat(StormOptions.problem(Map.of(Config.TOPOLOGY_KRYO_DECORATORS, List.of("A", 5))))
                .isEqualTo("Each element of the list topology.kryo.decorators must be a String; it is [A, 5]");
        assertThat(StormOptions.problem(Map.of(Config.TOPOLOGY_ENVIRONMENT, Map.of("A", 1))))
                .isEqualTo("Each value in the map topology.environment must be a String; it is {A=1}");
    }

    /** A validator of Storm's casts what it is given. */
    @Test
    void shouldRefuseWhatStormStumblesOver() {
        List<Object> reporters = List.of(Map.of("class", "A", "filter", "B"));
        assertThat(StormOptions.problem(Map.of(Config.TOPOLOGY_METRICS_REPORTERS, reporters)))
                .startsWith("topology.metrics.reporters cannot be read by Storm: java.lang.ClassCastException")
                .endsWith("; it is [" + reporters.get(0) + "]");
    }

    @Test
    void shouldBeOneLine_withoutPasswords_andNotTooLong() {
        assertThat(StormOptions.problem(Map.of(Config.TOPOLOGY_DEBUG, "a\nb"))).endsWith("it is \"a b\"");
        assertThat(StormOptions.problem(Map.of(Config.TOPOLOGY_DEBUG, "x".repeat(10_000))))
                .endsWith("xx…")
                .hasSizeLessThan(300);
        assertThat(StormOptions.problem(Map.of(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, List.of("secret"))))
                .startsWith("storm.zookeeper.topology.auth.payload must be of type String")
                .doesNotContain("secret");
    }

    @Test
    void shouldTakeWhatStormTakes() {
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        assertThat(StormOptions.problem(conf)).isNull();
        conf.put("an.option.of.the.users", Arrays.asList(1, null));
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10L);
        conf.put(Config.TOPOLOGY_MAX_TASK_PARALLELISM, null);
        assertThat(StormOptions.problem(conf)).isNull();
    }

    @Test
    void shouldRefuseATopologyByIts() {
        StormTopology topology = words(Map.of());
        assertThatThrownBy(() -> StormDoor.of(topology, Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, "ten")))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'storm': Storm refuses its configuration: topology.max.spout.pending must be an"
                        + " Integer within type range; it is \"ten\"");
    }

    /** Storm does not check those, and converts them in each worker. */
    @Test
    void shouldRefuseAComponent_whoseOptionsStormCannotConvert() {
        StormTopology broken = words(Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, "ten"));
        assertThatThrownBy(() -> StormDoor.of(broken, Map.of()))
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'storm', operator 'words': Storm cannot read its configuration:"
                        + " topology.max.spout.pending must be an Integer within type range; it is \"ten\"");
        StormTopology tasks = words(Map.of(Config.TOPOLOGY_TASKS, List.of(2)));
        assertThatThrownBy(() -> StormDoor.of(tasks, Map.of()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("'words': Storm cannot read its configuration: topology.tasks must be");
        for (Object fine : List.of("10", 0, -1)) {
            assertThat(StormDoor.of(words(Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, fine)), Map.of()))
                    .isNotNull();
        }
    }

    @Test
    void shouldNameOptionsWithoutEffect_thatAreNotAsByDefault() {
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        assertThat(StormDoor.of(words(Map.of()), conf).withoutEffect()).isNull();
        conf.put(Config.TOPOLOGY_CLASSPATH, "/opt/lib/*");
        assertThat(StormDoor.of(words(Map.of()), conf).withoutEffect())
                .isEqualTo("topology 'storm' sets topology.classpath, which has no effect here");
        conf.put(Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN, "Hook");
        conf.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, "org.apache.storm.policy.WaitStrategyPark");
        conf.put(Config.TOPOLOGY_WORKERS, 3);
        assertThat(StormDoor.of(words(Map.of()), conf).withoutEffect())
                .isEqualTo("topology 'storm' sets storm.topology.submission.notifier.plugin.class,"
                        + " topology.bolt.wait.strategy, topology.classpath,"
                        + " which have no effect here");
    }

    @Test
    void shouldRefuseBlobs() {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_BLOBSTORE_MAP, Map.of("dictionary", Map.of("localname", "words.txt")));
        assertThatThrownBy(() -> StormDoor.of(words(Map.of()), conf))
                .isInstanceOf(TopologyException.class)
                .hasMessageStartingWith(
                        "topology 'storm': topology.blobstore.map names [dictionary], and there is no blob"
                                + " store here; put the files");
        conf.put(Config.TOPOLOGY_BLOBSTORE_MAP, Map.of());
        assertThat(StormDoor.of(words(Map.of()), conf)).isNotNull();
    }

    /** A version of Storm that has more of them needs a decision for each. The guide has the last two lists. */
    @Test
    void shouldKnowWhatBecomesOfEachOptionOfATopology() throws IllegalAccessException {
        String works = "acker.executors auto.task.hooks blobstore.map bolts. debug enable.message.timeouts environment"
                + " fall.back.on.java.serialization kryo. max.spout.pending max.task.parallelism message.timeout.secs"
                + " metrics.consumer.register metrics.reporters multilang. name producer.batch.size shellbolt.max.pending"
                + " skip.missing.kryo.registrations state. stats.sample.rate subprocess.timeout.secs tasks"
                + " tick.tuple.freq.secs trident. tuple.serializer worker.shared.thread.pool.size";
        String ofClusters = "acker.cpu. acker.resources. component. disable.loadaware.messaging groups isolate.machines"
                + " localityaware. logging.sensitivity max.replication. metrics.consumer.cpu. metrics.consumer.resources."
                + " min.replication. oci. priority ras. readonly. scheduler. spread.components submitter. transactional.id users"
                + " version worker.logwriter. worker.max.heap.size.mb worker.nimbus. worker.timeout.secs workers";
        String ofMetrics =
                "builtin.metrics. enable.send.iconnection.metrics enable.v2.metrics.tick serialized.message.size."
                        + " v2.metrics. worker.metrics";
        List<String> known =
                List.of(String.join(" ", works, ofClusters, ofMetrics).split(" "));
        for (Field each : Config.class.getFields()) {
            if (each.get(null) instanceof String option && option.startsWith("topology.")) {
                String rest = option.substring("topology.".length());
                boolean named =
                        known.stream().anyMatch(end -> end.endsWith(".") ? rest.startsWith(end) : rest.equals(end));
                assertThat(named).as(option).isNotEqualTo(StormOptions.hasNoEffect(option));
            }
        }
    }

    private static StormTopology words(Map<String, Object> own) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout()).addConfigurations(own);
        return topology.createTopology();
    }
}
