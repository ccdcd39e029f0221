// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An operator on a keyed stream that sends a request for each record and has state per key. One instance serves all keys of one task.
 * All methods are called on the task's thread; any thread may complete a request. Several records of a key may be in flight together:
 * an operator whose request needs the state that the one before it leaves must wait for that one itself. State is saved in checkpoints,
 * which wait until no record is in flight.
 *
 * <pre>{@code
 * // asks only for users who were not known to be fine
 * final class Vetted implements KeyedAsyncOperator<String, Order, Boolean, Order> {
 *     private transient ValueState<Boolean> fine;
 *
 *     public void open(KeyedAsyncContext context) {
 *         fine = context.state("fine", Type.of(Boolean.class));
 *     }
 *
 *     public CompletionStage<Boolean> apply(String user, Order order) {
 *         return fine.get() != null ? CompletableFuture.completedFuture(true) : client.vet(user);
 *     }
 *
 *     public Order answered(String user, Order order, Boolean yes) {
 *         if (yes) {
 *             fine.set(true);
 *         }
 *         return yes ? order : null;
 *     }
 * }
 * }</pre>
 *
 * @param <K> keys
 * @param <T> records in
 * @param <A> answers
 * @param <R> records out
 */
public interface KeyedAsyncOperator<K, T, A, R> {
    /**
     * Called once before the first record; declares state. An exception fails the job.
     *
     * @param context state and the place of this task; may be kept in a field
     */
    default void open(KeyedAsyncContext context) throws Exception {}

    /** Starts the request for a record; see {@link AsyncFunction#apply}. State is that of {@code key}. */
    CompletionStage<? extends @Nullable A> apply(K key, T value) throws Exception;

    /**
     * Called when a request was answered, for each record once: for all in their order, or, if the stream is {@code unordered}, in the
     * order of the answers. State is that of {@code key}. Not called for a request that has failed.
     *
     * @return what is emitted; null for nothing
     * @throws Exception as if the request had failed with it
     */
    @Nullable R answered(K key, T value, @Nullable A answer) throws Exception;

    /** Called once, last, also after a failure, even while requests are in flight. */
    default void close() throws Exception {}
}
