// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.graph.TopologyException;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.Journal;
import io.thalweg.stormdoor.Numbers;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a topology whose bolts ack by checkpoints. */
@Timeout(900)
final class StatefulStopTest {
    private static final int MANY = 50;

    @TempDir
    private Path folder;

    /** Checkpoints end after the tuples. */
    @Test
    void shouldEndWhenAllIsCommitted() throws Exception {
        Journal journal = new Journal();
        StormTopology topology = counting(journal);
        Map<String, Object> conf = Map.of(
                StormDoor.STATE_DIRECTORY,
                folder.toString(),
                Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL,
                2_000,
                Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS,
                600); // none fails because the machine was busy
        StormRun run = StormDoor.of(topology, conf).start(RunSettings.defaults());
        try {
            journal.await("emitted", MANY);
            run.kill(Duration.ofMinutes(30));
            assertThat(run.await(Duration.ofMinutes(4))).isTrue();
            assertThat(journal.page("acked")).hasSize(MANY);
            assertThat(run.pending()).isZero();
        } finally {
            run.stop(Duration.ZERO);
            journal.forget();
        }
    }

    private static StormTopology counting(Journal journal) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, MANY));
        topology.setBolt(StatefulJob.COUNT, new StatefulJob.Count(), 2).shuffleGrouping("numbers");
        return topology.createTopology();
    }

    /** No checkpoint is ever complete then, and all would be gone without a word. */
    @Test
    void shouldRefuseToKeepState_whereNothingIsAcked() {
        Map<String, Object> conf =
                Map.of(StormDoor.STATE_DIRECTORY, folder.toString(), Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        assertThatThrownBy(() -> StormDoor.of(counting(new Journal()), conf))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining(
                        "with topology.acker.executors: 0 nothing would be kept in topology.state.directory");
    }

    @Test
    void shouldSayThatStateIsNotCommitted_whereNothingIsAcked() throws Exception {
        Journal journal = new Journal();
        List<String> warnings = new CopyOnWriteArrayList<>();
        StormRun run = StormDoor.of(counting(journal), Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0))
                .start(RunSettings.defaults().withWarnings(warnings::add));
        journal.await("emitted", MANY);
        assertThat(run.stop(Duration.ZERO, Duration.ofMinutes(4))).isTrue();
        journal.forget();
        assertThat(warnings)
                .anyMatch(line -> line.contains(
                        "has stateful bolts and topology.acker.executors: 0: as on Storm, no state is ever committed"));
    }
}
