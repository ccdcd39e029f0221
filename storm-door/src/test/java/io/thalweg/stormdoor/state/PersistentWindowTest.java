// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.stormdoor.ComponentStats;
import io.thalweg.stormdoor.Journal;
import io.thalweg.stormdoor.Numbers;
import io.thalweg.stormdoor.Script;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulWindowedBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Values;
import org.apache.storm.windowing.TupleWindow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A window whose tuples are kept as state, in files. */
@Timeout(900)
final class PersistentWindowTest {
    private static final int MANY = 5;
    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private final Journal journal = new Journal();

    @AfterEach
    void forget() {
        journal.forget();
    }

    /** Notes its windows. */
    static final class Windows extends BaseStatefulWindowedBolt<KeyValueState<String, Long>> {
        private static final long serialVersionUID = 1L;
        private final String journal;

        Windows(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void initState(KeyValueState<String, Long> state) {
            // has none beside its window
        }

        @Override
        public void execute(TupleWindow window) {
            Journal.of(journal)
                    .note(
                            "windows",
                            window.get().stream()
                                    .map(each -> each.getInteger(0))
                                    .toList());
        }
    }

    private StormRun start() {
        return start("numbers", new TopologyBuilder());
    }

    /** @param from whose tuples are kept */
    private StormRun start(String from, TopologyBuilder topology) {
        topology.setSpout("numbers", new Numbers(journal, MANY));
        topology.setBolt(
                        "windows",
                        new Windows(journal).withPersistence().withTumblingWindow(BaseWindowedBolt.Count.of(2 * MANY)))
                .shuffleGrouping(from);
        Map<String, Object> conf = new HashMap<>();
        conf.put(StormDoor.STATE_DIRECTORY, folder.toString());
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
        conf.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 1.0);
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // none comes again because the machine was busy
        return StormDoor.of(
                        "windows",
                        topology.createTopology(),
                        conf,
                        null,
                        getClass().getClassLoader())
                .start(RunSettings.defaults());
    }

    private static ComponentStats windows(StormRun run) {
        return run.stats().stream()
                .filter(each -> each.component().equals("windows"))
                .findFirst()
                .orElseThrow();
    }

    /** Unless the state cannot be written, which Storm tries again for ever. */
    private void await(StormRun run, String page, int entries) {
        journal.await(page, () -> journal.size(page) >= entries || windows(run).errors() > 0 || ended(run));
        assertThat(windows(run).lastError()).isNull();
    }

    /** Throws what the topology failed with. */
    private static boolean ended(StormRun run) {
        try {
            return run.await(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Storm would try each checkpoint again, for ever: nothing would be acked, and nobody told. */
    @Test
    void shouldFail_ifAValueOfATupleCannotBeSerialized() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setBolt(
                        "bits",
                        new Script(journal, (tuple, scene) -> {
                                    scene.collector.emit(tuple, new Values(new BitSet()));
                                    scene.collector.ack(tuple);
                                })
                                .emits("bits"))
                .shuffleGrouping("numbers");
        StormRun run = start("bits", topology);
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .message()
                .matches(
                        "the state 'windows-\\d+-window' cannot be serialized: Class is not registered: java.util.BitSet;"
                                + " register it with topology.kryo.register");
        assertThat(journal.page("acked")).isEmpty();
    }

    @Test
    void shouldGoOnWithTheTuplesOfTheRunBefore() throws Exception {
        StormRun first = start();
        await(first, "acked", MANY); // they are when they are committed
        assertThat(windows(first).process().times()).isPositive();
        assertThat(first.stop(END, BUSY)).isTrue();
        assertThat(journal.page("windows")).isEmpty();

        StormRun second = start();
        await(second, "windows", 1);
        assertThat(second.stop(END, BUSY)).isTrue();
        assertThat(journal.page("windows")).containsExactly(List.of(0, 1, 2, 3, 4, 0, 1, 2, 3, 4));
    }
}
