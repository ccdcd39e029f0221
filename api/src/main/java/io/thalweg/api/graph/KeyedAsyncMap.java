// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.KeyedAsyncOperator;
import io.thalweg.api.operator.OperatorSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request for each record, with many requests in flight and state per key; see {@link
 * io.thalweg.api.topology.KeyedStream#async}.
 *
 * @param key of the records
 * @param supplier makes the operator of a task, which sends the requests
 * @param options of the requests, which are neither retried nor cached
 */
public record KeyedAsyncMap(
        KeySpec key,
        OperatorSupplier<? extends KeyedAsyncOperator<Object, Object, Object, Object>> supplier,
        AsyncMap.Options options)
        implements Keyed {
    @Override
    public @Nullable Aggregate<Object, Object, Object> aggregate() {
        return null;
    }

    /** None if there is no result, and at any time. */
    @Override
    public Cardinality cardinality() {
        return Cardinality.ANY;
    }

    @Override
    public Timing timing() {
        return Timing.PASSES_ON;
    }

    /** Of any watermark, state may expire. */
    @Override
    public long watermarkStep() {
        return 1;
    }

    /** Its records come from a queue, so they are its own. */
    @Override
    public boolean passesInputOn() {
        return false;
    }

    @Override
    public boolean asynchronous() {
        return true;
    }

    @Override
    public String specification() {
        return "keyed " + options.describe();
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.keyedAsyncMap(this);
    }
}
