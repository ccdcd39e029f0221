// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.operator.AsyncFunction;
import io.thalweg.api.operator.AsyncOperator;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.operator.NullableFunction;
import io.thalweg.api.operator.OperatorSupplier;
import java.io.Serializable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks something outside for each record, with many requests in flight.
 *
 * @param function makes the record to emit of the one that came in and the result; null to emit the result
 */
public record AsyncMap(
        OperatorSupplier<? extends AsyncOperator<Object, Object>> supplier,
        @Nullable JoinFunction<Object, Object, Object> function,
        Options options)
        implements Stateless {
    /**
     * How requests are made.
     *
     * @param ordered results leave in the order of their records
     * @param concurrency records that a task holds at a time, at most
     * @param timeoutMs from the first try of a request to its end
     */
    public record Options(
            boolean ordered,
            int concurrency,
            long timeoutMs,
            Retry retry,
            @Nullable Cache cache) implements Serializable {}

    /**
     * @param times tries after the first one, at most
     * @param backoffMs pause before the second try; doubled for each further one
     * @param when says which failures are worth another try
     */
    public record Retry(int times, long backoffMs, FilterFunction<Throwable> when) implements Serializable {}

    /**
     * Results that each task keeps by key.
     *
     * @param most entries of a task
     * @param keepMs after which a result is asked for again
     */
    public record Cache(NullableFunction<Object, Object> key, int most, long keepMs) implements Serializable {}

    /** A function that needs no opening, as an operator. */
    public record OfFunction(AsyncFunction<Object, Object> function)
            implements AsyncOperator<Object, Object>, OperatorSupplier<AsyncOperator<Object, Object>> {
        @Override
        public AsyncOperator<Object, Object> get() {
            return this;
        }

        @Override
        public CompletionStage<? extends @Nullable Object> apply(Object value) throws Exception {
            CompletionStage<? extends @Nullable Object> stage = function.apply(value);
            if (stage == null) {
                throw NullValueException.ofAsync(Signatures.describe(function), value);
            }
            return stage;
        }
    }

    /** None if there is no result, and at any time. */
    @Override
    public Cardinality cardinality() {
        return Cardinality.ANY;
    }

    @Override
    public boolean asynchronous() {
        return true;
    }

    /** Its records come from a queue, so they are its own. */
    @Override
    public boolean passesInputOn() {
        return false;
    }

    @Override
    public String specification() {
        return "async map, " + (options.ordered() ? "ordered" : "unordered") + ", up to " + options.concurrency()
                + " at a time, timeout " + options.timeoutMs() + " ms";
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.asyncMap(this);
    }
}
