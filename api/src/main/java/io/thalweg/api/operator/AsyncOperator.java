// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AsyncFunction} with a lifecycle, for a client that must be opened and closed. One instance serves one task.
 * All methods are called on the task's thread: {@link #open}, any number of {@link #apply}, and always {@link #close},
 * even while requests are in flight if the job fails or is cancelled.
 *
 * <pre>{@code
 * final class Users implements AsyncOperator<Order, User> {
 *     private transient HttpClient client;
 *
 *     public void open(OperatorContext context) {
 *         client = HttpClient.newHttpClient();
 *     }
 *
 *     public CompletionStage<User> apply(Order order) {
 *         return client.sendAsync(request(order.user()), BodyHandlers.ofString()).thenApply(Users::parse);
 *     }
 * }
 * }</pre>
 *
 * @param <T> records in
 * @param <R> results
 */
public interface AsyncOperator<T, R> {
    /**
     * Called once before the first record. An exception fails the job.
     *
     * @param context says which task this is; there is no current record
     */
    default void open(OperatorContext context) throws Exception {}

    /** Starts the request for a record; see {@link AsyncFunction#apply}. */
    CompletionStage<? extends @Nullable R> apply(T value) throws Exception;

    /** Called once, last, also after a failure. */
    default void close() throws Exception {}
}
