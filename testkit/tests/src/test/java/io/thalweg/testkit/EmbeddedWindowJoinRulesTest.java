// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.contract.WindowJoinRulesContract;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Window joins on the embedded engine, and as the oracle has them. */
final class EmbeddedWindowJoinRulesTest {
    @Nested
    final class Stepped extends WindowJoinRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(1, 0, true);
        }
    }

    @Nested
    final class SteppedInParallel extends WindowJoinRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(3, 0, false);
        }
    }

    @Nested
    final class OnThreads extends WindowJoinRulesContract {
        @Override
        protected TestRunner road() {
            return embedded(2, 2, true);
        }
    }

    @Nested
    final class Sequential extends WindowJoinRulesContract {
        @Override
        protected TestRunner road() {
            return TestRunner.sequential(2);
        }
    }

    /** Pairs that the join has made; static, because functions are serialized. */
    private static final AtomicLong PAIRS = new AtomicLong();

    private static long pair(long left, long right) {
        PAIRS.incrementAndGet();
        return left;
    }

    /** 250,000 pairs of one key: what waits for the sink stays small. */
    @Test
    void shouldStopWhileThereIsNoRoom() throws Exception {
        PAIRS.set(0);
        Topology topology = Topology.named("pairs");
        CollectSink<Long> sink = CollectSink.of(Long.class);
        topology.from(Sources.generate(500, i -> i))
                .join(topology.from(Sources.generate(500, i -> i)))
                .where(i -> 0L)
                .equalTo(i -> 0L)
                .window(Windows.whole())
                .inner(EmbeddedWindowJoinRulesTest::pair)
                .as(Long.class)
                .isolate()
                .to(sink);
        Job job = new EmbeddedRunner(
                        RunSettings.defaults().withParallelism(1).withThreads(0).withSteps(10, 2, 16))
                .start(topology.graph());
        long most = 0;
        long written = 0;
        while (job.step()) {
            written += sink.newRecords().size();
            most = Math.max(most, PAIRS.get() - written);
        }

        assertThat(job.await().recordsOut()).isEqualTo(250_000);
        assertThat(most).isLessThan(5_000);
    }

    private static TestRunner embedded(int parallelism, int threads, boolean specialise) {
        RunSettings settings = RunSettings.defaults()
                .withParallelism(parallelism)
                .withThreads(threads)
                .withSpecialise(specialise);
        return TestRunner.embedded(settings, EnumSet.allOf(HardCase.class), 1);
    }
}
