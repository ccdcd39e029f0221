// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.BadLimit;
import io.thalweg.run.Tolerance;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task that another engine runs. */
final class HostedChainTest {
    private final List<String> said = new ArrayList<>();

    private final class Recorded implements HostedChain.Host {
        @Override
        public void record(int link, int target, Object value, long time, long stamp) {
            said.add("record");
        }

        @Override
        public void watermark(int link, long watermark) {}

        @Override
        public void barrier(int link, long checkpoint) {}

        @Override
        public void end(int link, boolean cancelled) {
            said.add(cancelled ? "cancelled end" : "end");
        }

        @Override
        public void bad(String operator, BadRecord record) {}

        @Override
        public void opened(boolean outputsRestored) {}

        @Override
        public void saved(long checkpoint, byte[] state, long heldNs, long tookNs) {
            said.add("saved");
        }

        @Override
        public void drained() {
            said.add("drained");
        }

        @Override
        public void reached(int limit) {}

        @Override
        public void committed() {
            said.add("committed");
        }

        @Override
        public void wakeUp() {}

        @Override
        public void answered(long root, boolean failed) {}

        @Override
        public void dropped(long records) {}

        @Override
        public void warn(String line) {}

        @Override
        public PrintStream console() {
            return System.out;
        }
    }

    /** Its client may be gone, so that nobody ends it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStopReading_andCommitNothing_whereTheJobIsGivenUp(boolean checkpoints) throws Exception {
        Topology topology = Topology.named("given-up");
        topology.from(Sources.generate(1_000_000, n -> n)).shuffle().to(Sinks.discard());
        HostedPlan plan = new HostedPlan(topology.graph(), 2);
        HostedSettings settings = new HostedSettings(
                2,
                false,
                false,
                BadLimit.half(),
                1,
                Guarantee.NONE,
                false,
                checkpoints,
                0,
                null,
                Tolerance.NONE,
                "run");
        HostedChain source = new HostedChain(
                plan, settings, plan.splits(settings), plan.parts().get(0), 0, HostedOrders.first(0), new Recorded());
        source.turns();
        HostedOrders runs = new HostedOrders(1, 0, 0, Long.MAX_VALUE, true, true, false, false, 0, List.of());
        source.order(runs);
        source.turns();
        assertThat(said).isNotEmpty().containsOnly("record");

        said.clear();
        source.order(runs.givenUp());
        source.turns();
        assertThat(said).doesNotContain("record", "saved", "committed").contains("cancelled end", "drained");
    }
}
