// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Topologies of a thousand components, with a thread for each or with two for all. */
@Timeout(900)
@Tag("integration")
final class LargeTopologyTest {
    private static final int COMPONENTS = 1_000;
    private static final int TUPLES = 20;

    private final Journal journal = new Journal();

    @AfterEach
    void forget() {
        journal.forget();
    }

    private Script passing() {
        return new Script(journal, (tuple, scene) -> {
                    scene.collector.emit(tuple, new Values(tuple.getInteger(0)));
                    scene.collector.ack(tuple);
                })
                .emits("n");
    }

    private Script noting() {
        return new Script(journal, (tuple, scene) -> {
            scene.journal.note("end", tuple.getInteger(0));
            scene.collector.ack(tuple);
        });
    }

    /** @param threads that executors share; 0 for a thread for each of them */
    private void allAcked(TopologyBuilder topology, int threads, int notes) throws Exception {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600);
        if (threads > 0) {
            conf.put(StormDoor.SHARED_THREADS, threads);
        }
        StormRun run = StormDoor.of(topology.createTopology(), conf).start(RunSettings.defaults());
        journal.await("acked", TUPLES);
        assertThat(run.stop(Duration.ofMinutes(1), Duration.ofMinutes(4))).isTrue();
        assertThat(journal.page("acked"))
                .containsExactlyInAnyOrder(IntStream.range(0, TUPLES).boxed().toArray());
        assertThat(journal.size("end")).isEqualTo(notes);
        assertThat(run.stats()).hasSize(COMPONENTS);
        assertThat(run.dropped()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldRunAChain(int threads) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, TUPLES));
        String before = "numbers";
        for (int i = 0; i < COMPONENTS - 2; i++) {
            topology.setBolt("pass" + i, passing()).shuffleGrouping(before);
            before = "pass" + i;
        }
        topology.setBolt("end", noting()).shuffleGrouping(before);
        allAcked(topology, threads, TUPLES);
    }

    /** All read one, and one reads all. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldRunAFan(int threads) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, TUPLES));
        BoltDeclarer end = topology.setBolt("end", noting());
        for (int i = 0; i < COMPONENTS - 2; i++) {
            topology.setBolt("pass" + i, passing()).shuffleGrouping("numbers");
            end.shuffleGrouping("pass" + i);
        }
        allAcked(topology, threads, TUPLES * (COMPONENTS - 2));
    }

    /** Each but the first also leads back to the one before it, where one in ten numbers goes once. */
    @ParameterizedTest
    @ValueSource(ints = {2})
    void shouldRunLoops(int threads) throws Exception {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, TUPLES));
        String before = "numbers";
        BoltDeclarer last = null;
        for (int i = 0; i < COMPONENTS - 1; i++) {
            String id = "pass" + i;
            BoltDeclarer bolt = topology.setBolt(
                            id,
                            new Script(journal, (tuple, scene) -> {
                                        int n = tuple.getInteger(0);
                                        if (tuple.getSourceStreamId().equals("back")) {
                                            scene.journal.note("back", n);
                                        } else {
                                            scene.collector.emit(tuple, new Values(n));
                                            if (n % 10 == 0) {
                                                scene.collector.emit("back", tuple, new Values(n));
                                            }
                                        }
                                        scene.collector.ack(tuple);
                                    })
                                    .emits("n")
                                    .emitsTo("back", "n"))
                    .shuffleGrouping(before);
            if (last != null) {
                last.shuffleGrouping(id, "back");
            }
            last = bolt;
            before = id;
        }
        allAcked(topology, threads, 0);
        assertThat(journal.size("back")).isEqualTo(TUPLES / 10 * (COMPONENTS - 2));
    }
}
