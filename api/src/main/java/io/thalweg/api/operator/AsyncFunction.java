// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Starts a request to a service or a database for a record, without waiting for the answer. One instance may serve
 * several tasks at the same time; a client that must be opened and closed belongs in an {@link AsyncOperator}.
 *
 * <pre>{@code order -> client.lookup(order.user())}</pre>
 *
 * @param <T> records in
 * @param <R> results
 */
@FunctionalInterface
public interface AsyncFunction<T, R> extends Serializable {
    /**
     * Starts the request. Called on the task's thread, so it must not block. Any thread may complete the stage, with
     * null for no result. If it completes with {@link BadRecordException}, the record is a bad one; with {@link
     * RecordFailedException}, it is retried from its source in a job with the guarantee {@code acked}; with any other
     * exception, the job fails. The same holds for exceptions thrown here.
     *
     * @return never null
     */
    CompletionStage<? extends @Nullable R> apply(T value) throws Exception;
}
