// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The suite on the door, where executors share threads; and which of them do. */
@Tag("integration")
final class SharedThreadsTest {
    private abstract static class Shared extends DoorSemanticsTest {
        private final int threads;

        Shared(int threads) {
            this.threads = threads;
        }

        @Override
        protected Submitted submit(String name, Map<String, Object> conf, StormTopology topology) {
            Map<String, Object> shared = new HashMap<>(conf);
            shared.put(StormDoor.SHARED_THREADS, threads);
            return super.submit(name, shared, topology);
        }

        @Override
        protected boolean ownThreads() {
            return false;
        }

        @Override
        @Test
        @Disabled("a bolt waits for another one")
        void shouldWindowByEventTimeAndTellWhatIsLate() {}

        @Override
        @Test
        @Disabled("a bolt waits for another one, which may be for ever, as the option says")
        void shouldNotStallOthersBehindABoltThatBlocks() {}
    }

    @Nested
    @Timeout(900)
    final class OneThread extends Shared {
        OneThread() {
            super(1);
        }
    }

    @Nested
    @Timeout(900)
    final class TwoThreads extends Shared {
        TwoThreads() {
            super(2);
        }
    }

    private static TopologyBuilder withAChild() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(new Journal(), 1));
        topology.setBolt("child", new Shell.PythonBolt("none.py")).shuffleGrouping("numbers");
        return topology;
    }

    @Test
    void shouldKeepAThreadForWhatTalksToAChild() {
        StormDoor door = StormDoor.of(withAChild().createTopology(), Map.of(StormDoor.SHARED_THREADS, "2"));
        assertThat(door.graph().nodes().stream().filter(Node::blocking).map(Node::name))
                .containsExactly("child");
    }

    @Test
    @Timeout(300)
    void shouldTellOfACallThatKeepsOthersWaiting() throws Exception {
        Journal journal = new Journal();
        try {
            TopologyBuilder topology = new TopologyBuilder();
            topology.setSpout("numbers", new Numbers(journal, 1));
            topology.setBolt("waits", new Script(journal, (tuple, scene) -> {
                        scene.journal.await("told", 1);
                        scene.collector.ack(tuple);
                    }))
                    .shuffleGrouping("numbers");
            StormRun run = StormDoor.of(topology.createTopology(), Map.of(StormDoor.SHARED_THREADS, 1))
                    .start(RunSettings.defaults().withWarnings(line -> {
                        if (line.contains("waits[0]")) { // on a busy machine a call of the spout may take as long
                            journal.note("told", line);
                        }
                    }));
            journal.await("told", 1);
            assertThat(journal.page("told").get(0).toString())
                    .contains("a call of waits[0] has taken more than a second", "without topology.shared.threads");
            assertThat(run.stop(Duration.ofMinutes(1))).isTrue();
        } finally {
            journal.forget();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(300)
    void shouldEndWithTheFailureOfABolt(int threads) {
        Journal journal = new Journal();
        try {
            TopologyBuilder topology = new TopologyBuilder();
            topology.setSpout("numbers", new Numbers(journal, 10), 2);
            topology.setBolt("fails", new Script(journal, (tuple, scene) -> {
                        throw new IllegalStateException("no " + tuple.getInteger(0));
                    }))
                    .shuffleGrouping("numbers");
            StormRun run = StormDoor.of(topology.createTopology(), Map.of(StormDoor.SHARED_THREADS, threads))
                    .start(RunSettings.defaults());
            assertThatThrownBy(run::await)
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContainingAll("'fails'", "no ");
        } finally {
            journal.forget();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "two", "1025", ""})
    void shouldRefuseAnotherNumberOfThreads(String threads) {
        StormTopology topology = withAChild().createTopology();
        assertThatThrownBy(() -> StormDoor.of(topology, Map.of(StormDoor.SHARED_THREADS, threads)))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("topology.shared.threads is " + threads + ", not a number from 1 to 1024");
    }
}
