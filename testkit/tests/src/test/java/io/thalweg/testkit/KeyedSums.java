// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.PeekFunction;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Numbers that are summed by key and window: a job with state whose results are known. */
final class KeyedSums {
    /** As many as one likes: {@code -Dthalweg.restore.keys=1000000}. */
    static final long KEYS = Long.getLong("thalweg.restore.keys", 10_000);

    static final long RECORDS = 4 * KEYS;
    private static final long WINDOW_MS = 5 * KEYS / 2;

    private KeyedSums() {}

    static CollectSink<WindowResult<Long, Long>> sink() {
        return CollectSink.of(Type.of(WindowResult.class, Type.of(Long.class), Type.of(Long.class)));
    }

    static Topology to(CollectSink<WindowResult<Long, Long>> sink) {
        return to(sink, n -> {});
    }

    /** @param picky sees each number first; its operator's name is "picky" */
    static Topology to(CollectSink<WindowResult<Long, Long>> sink, PeekFunction<Long> picky) {
        Topology topology = Topology.named("windows");
        topology.from(Sources.generate(RECORDS, n -> n).splitInto(3))
                .name("numbers")
                .peek(picky)
                .name("picky")
                .eventTime(n -> n, Duration.ofMillis(100))
                .keyBy(n -> n % KEYS)
                .window(Windows.tumbling(Duration.ofMillis(WINDOW_MS)))
                .aggregate(Aggregates.sum(n -> n))
                .name("sums")
                .to(sink)
                .parallelism(1);
        return topology;
    }

    static Map<String, Long> expected() {
        Map<String, Long> expected = new TreeMap<>();
        for (long n = 0; n < RECORDS; n++) {
            expected.merge(n % KEYS + " from " + n / WINDOW_MS * WINDOW_MS, n, Long::sum);
        }
        return expected;
    }

    static Map<String, Long> found(CollectSink<WindowResult<Long, Long>> sink) {
        Map<String, Long> found = new TreeMap<>();
        for (WindowResult<Long, Long> result : sink.records()) {
            Long twice = found.put(result.key() + " from " + result.start(), result.value());
            assertThat(twice).as("an earlier result of %s", result).isNull();
        }
        return found;
    }
}
