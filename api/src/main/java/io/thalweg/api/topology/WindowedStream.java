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

/** A keyed stream cut into windows. */
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
     * Keeps windows for so long after they fired. A record that comes in that time makes its window emit its result
     * anew: of the results for a key and window the last one counts.
     */
    public WindowedStream<K, T> allowedLateness(Duration lateness) {
        checkKeyed("allowedLateness");
        allowedLatenessMs = EventDuration.atLeastZero("the allowed lateness", lateness);
        return this;
    }

    /** Where records go that are late for all their windows; read it with {@code side} on the stream of results. */
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

    /** One result for each key and window. */
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

    public Stream<WindowResult<K, T>> reduce(ReduceFunction<T> function) {
        return aggregate(Aggregates.reduce(stream.recordType(), function));
    }

    /** Hands all records of a key and window to a function, in the order of arrival; keeps them until then. */
    public <R> Stream<R> apply(FlatMapFunction<WindowResult<K, List<T>>, ? extends R> function) {
        return aggregate(Aggregates.list(stream.recordType())).flatMap(function);
    }
}
