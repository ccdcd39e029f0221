// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks a service or a database for what belongs to a record, and does not wait for the answer. One instance may serve several
 * tasks; a client that must be opened and closed belongs in an {@link AsyncOperator}.
 *
 * <pre>{@code order -> client.lookup(order.user())}</pre>
 *
 * @param <T> records in
 * @param <R> results
 */
@FunctionalInterface
public interface AsyncFunction<T, R> extends Serializable {
    /**
     * Called on the task's thread, so it must not block. The stage may be completed by any thread; with null for no result. To
     * fail with {@link BadRecordException} makes the record a bad one, with {@link RecordFailedException} has it sent again in a
     * job with the guarantee {@code acked}; any other failure fails the job. The same holds for what the call throws.
     *
     * @return never null
     */
    CompletionStage<? extends @Nullable R> apply(T value) throws Exception;
}
