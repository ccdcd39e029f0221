// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AsyncFunction} with a client of its own. One instance serves one task. All its methods are called on the task's
 * thread: {@link #open}, any number of {@link #apply}, {@link #close} always, also while requests are still in flight if the job
 * fails or is killed.
 *
 * @param <T> records in
 * @param <R> results
 */
public interface AsyncOperator<T, R> {
    /** @param context says which task this is; it knows no record */
    default void open(OperatorContext context) throws Exception {}

    /** As {@link AsyncFunction#apply}. */
    CompletionStage<? extends @Nullable R> apply(T value) throws Exception;

    default void close() throws Exception {}
}
