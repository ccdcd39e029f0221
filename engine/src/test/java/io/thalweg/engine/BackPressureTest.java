// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.RunSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class BackPressureTest {
    private static final int RECORDS = 10_000;
    private static final int WINDOW_MS = 10;
    private static final int BATCHES = 2;
    private static final int BATCH_RECORDS = 4;

    /** How far the source has read; static, because a source is serializable. One thread runs all tasks. */
    private static final AtomicLong READ = new AtomicLong();

    private static final AtomicLong RESULTS = new AtomicLong();
    private static final AtomicLong FURTHEST_AHEAD = new AtomicLong();

    @BeforeEach
    void reset() {
        READ.set(0);
        RESULTS.set(0);
        FURTHEST_AHEAD.set(0);
    }

    /** Each turn of the source ends because its queue is full. Time must advance nevertheless, or all windows stay open. */
    @Test
    void shouldLetTimeAdvanceBehindASourceThatIsAlwaysHeldBack() throws Exception {
        Topology topology = Topology.named("held-back");
        topology.from(new Milliseconds())
                .eventTime(ms -> ms, Duration.ZERO)
                .keyBy(ms -> 0)
                .window(Windows.tumbling(Duration.ofMillis(WINDOW_MS)))
                .aggregate(Aggregates.count())
                .isolate()
                .to(new Results());
        RunSettings settings =
                RunSettings.defaults().withParallelism(1).withThreads(1).withSteps(0, BATCHES, BATCH_RECORDS);

        new EmbeddedRunner(settings).start(topology.graph()).await();

        assertThat(RESULTS).hasValue(RECORDS / WINDOW_MS);
        assertThat(FURTHEST_AHEAD.get())
                .as("records that were read after a window, before its result came out")
                .isLessThan(4 * BATCHES * BATCH_RECORDS + 2 * WINDOW_MS);
    }

    private record Milliseconds() implements Source<Long> {
        @Override
        public String name() {
            return "milliseconds";
        }

        @Override
        public Type<Long> type() {
            return Type.of(Long.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            return List.of("all");
        }

        @Override
        public SplitReader<Long> open(String split, SourceContext context) {
            return new SplitReader<>() {
                @Override
                public @Nullable Long poll() {
                    return finished() ? null : READ.getAndIncrement();
                }

                @Override
                public boolean finished() {
                    return READ.get() == RECORDS;
                }

                @Override
                public long position() {
                    return READ.get();
                }
            };
        }
    }

    private record Results() implements Sink<WindowResult<Integer, Long>> {
        @Override
        public String name() {
            return "results";
        }

        @Override
        public SinkWriter<WindowResult<Integer, Long>> open(SinkContext context) {
            return result -> {
                RESULTS.incrementAndGet();
                FURTHEST_AHEAD.accumulateAndGet(READ.get() - result.end(), Math::max);
            };
        }
    }
}
