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
 * Asks a service or database for each record, with many requests in flight; see {@link
 * io.thalweg.api.topology.Stream#async}.
 *
 * @param supplier makes the operator of a task, which sends the requests
 * @param function combines a record with its result; null to emit the result itself
 * @param options of the requests
 */
public record AsyncMap(
        OperatorSupplier<? extends AsyncOperator<Object, Object>> supplier,
        @Nullable JoinFunction<Object, Object, Object> function,
        Options options)
        implements Stateless {
    /**
     * How requests are made.
     *
     * @param ordered whether results are emitted in the order of their records
     * @param concurrency maximum number of records that a task holds
     * @param timeoutMs from the first try of a request to its end
     * @param retry what to do about failures
     * @param cache null if results are not cached
     */
    public record Options(
            boolean ordered,
            int concurrency,
            long timeoutMs,
            Retry retry,
            @Nullable Cache cache) implements Serializable {
        String describe() {
            return "async map, " + (ordered ? "ordered" : "unordered") + ", up to " + concurrency
                    + " at a time, timeout " + timeoutMs + " ms";
        }
    }

    /**
     * Retries of failed requests.
     *
     * @param times maximum number of retries after the first try
     * @param backoffMs pause before the first retry; doubled for each further one
     * @param when says which failures are worth a retry
     */
    public record Retry(int times, long backoffMs, FilterFunction<Throwable> when) implements Serializable {}

    /**
     * Results that each task caches by key.
     *
     * @param key what the request depends on; null if its result is not cached
     * @param most maximum number of entries per task
     * @param keepMs age after which a result is requested again
     */
    public record Cache(NullableFunction<Object, Object> key, int most, long keepMs) implements Serializable {}

    /**
     * A function without a lifecycle, as an operator.
     *
     * @param function sends the requests
     */
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
        return options.describe();
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.asyncMap(this);
    }
}
