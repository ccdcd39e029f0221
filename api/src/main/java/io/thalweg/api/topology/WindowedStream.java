// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.ReduceFunction;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.api.window.EventDuration;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A keyed stream divided into windows. {@link #aggregate}, {@link #reduce} and {@link #apply} add the operator; call
 * {@link #allowedLateness} and {@link #lateTo} before them.
 *
 * <pre>{@code
 * SideOutput<Reading> late = SideOutput.of("late", Reading.class);
 * Stream<WindowResult<String, Long>> counts = readings.keyBy(Reading::sensor)
 *         .window(Windows.tumbling(Duration.ofMinutes(1)))
 *         .lateTo(late)
 *         .aggregate(Aggregates.count());
 * counts.side(late).to(Sinks.print());
 * }</pre>
 *
 * <p>A window fires when the watermark reaches its last millisecond. A record is late for a window if the watermark of
 * its own split had reached the window's last millisecond plus the allowed lateness before the record came, so what is
 * late does not depend on parallelism or scheduling.
 *
 * @param <K> keys
 * @param <T> records
 */
public final class WindowedStream<K, T> {
    private final Stream<T> stream;
    private final KeySpec key;
    private final WindowSpec window;

    /** Of each key; 0 if keys are not divided. */
    private final int parts;

    private long allowedLatenessMs;
    private @Nullable SideOutput<Object> late;

    WindowedStream(Stream<T> stream, KeySpec key, WindowSpec window, int parts) {
        this.stream = stream;
        this.key = key;
        this.window = window;
        this.parts = parts;
    }

    /**
     * Keeps windows for this long after they fired. A record that comes within that time makes its window fire again:
     * of several results for a key and window, the last one counts.
     *
     * @param lateness zero or more, by the watermark; zero if not set
     * @throws IllegalArgumentException if it is negative or not in whole milliseconds, or after {@link
     *     Stream#partialKeyBy(MapFunction, int)}
     */
    public WindowedStream<K, T> allowedLateness(Duration lateness) {
        checkKeyed("allowedLateness");
        allowedLatenessMs = EventDuration.atLeastZero("the allowed lateness", lateness);
        return this;
    }

    /**
     * Sends records that are late for all their windows to a side output; read it with {@link Stream#side} on the
     * stream of results. Without this, late records are counted and dropped.
     *
     * @throws IllegalArgumentException after {@link Stream#partialKeyBy(MapFunction, int)}
     */
    public WindowedStream<K, T> lateTo(SideOutput<T> side) {
        checkKeyed("lateTo");
        late = Stream.cast(side);
        return this;
    }

    private void checkKeyed(String method) {
        if (parts > 0) {
            throw new IllegalArgumentException("partialKeyBy has no " + method + "; use keyBy");
        }
    }

    /**
     * Emits one result for each key and window. Keeps one accumulator per key and open window, not the records, unless
     * the aggregate itself keeps records.
     *
     * @param aggregate one of {@link Aggregates}, or your own
     */
    public <R> Stream<WindowResult<K, R>> aggregate(Aggregate<? super T, ?, R> aggregate) {
        if (parts > 0) {
            return PartialAggregation.of(stream, key, parts, window, Stream.<Aggregate<T, Object, R>>cast(aggregate));
        }
        Type<R> result = aggregate.resultType();
        Stream<WindowResult<K, R>> results = stream.add(
                new NodeSpec.Window(key, window, allowedLatenessMs, Stream.cast(aggregate), late),
                result == null ? null : Type.<WindowResult<K, R>>of(WindowResult.class, key.type(), result));
        return key.type().equals(Type.of(Unkeyed.class)) ? results.parallelism(1) : results;
    }

    /**
     * Emits one value for each key and window, combined from its records.
     *
     * @param function must be associative and must not return null
     * @throws IllegalStateException if the type of the records is not known; declare it with {@link Stream#as}
     */
    public Stream<WindowResult<K, T>> reduce(ReduceFunction<T> function) {
        return aggregate(Aggregates.reduce(stream.recordType(), function));
    }

    /**
     * Passes all records of a key and window to a function, in the order of {@link Aggregates#list}. Keeps all records
     * until the window fires, so prefer {@link #aggregate} where it is enough. The type of the results cannot be read
     * from a lambda; declare it with {@link Stream#as}.
     *
     * @throws IllegalStateException if the type of the records is not known
     */
    public <R> Stream<R> apply(FlatMapFunction<WindowResult<K, List<T>>, ? extends R> function) {
        return aggregate(Aggregates.list(stream.recordType())).flatMap(function);
    }
}
