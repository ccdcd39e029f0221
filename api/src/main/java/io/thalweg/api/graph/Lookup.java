// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A request to a service, and its answer. Used by the task's thread only. For runners.
 *
 * @param <R> what is held of a record that waits for it
 */
public final class Lookup<R> {
    /** Records that leave out of order when it is done. */
    final List<HeldRecords.Held<R>> waiting = new ArrayList<>();

    /** What is asked for. */
    final Object value;

    /** The record that is asked for, while it is in flight; those that share its result come later. */
    @Nullable R first;

    /** Null if its result is not kept. */
    final @Nullable Object key;

    final long deadlineNs;

    /** When it is to be tried again. */
    long retryNs;

    int tries;

    /** What the last try failed with. */
    @Nullable Throwable failed;

    /** The try in flight. */
    @Nullable CompletionStage<?> stage;

    /** When it was done. */
    long doneNs;

    private boolean done;
    private @Nullable Object result;

    Lookup(Object value, @Nullable Object key, long deadlineNs) {
        this.value = value;
        this.key = key;
        this.deadlineNs = deadlineNs;
    }

    /** Whether the answer has arrived, or the request has failed for good. */
    public boolean done() {
        return done;
    }

    /** Of several records, by the first. */
    void isAskedBy(R record) {
        if (first == null && !done) {
            first = record;
        }
    }

    /** @param thrown null if it has not failed */
    void end(@Nullable Object answer, @Nullable Throwable thrown, long nowNs) {
        result = answer;
        failed = thrown;
        doneNs = nowNs;
        stage = null;
        first = null;
        done = true;
    }

    /** The answer; null if there is none. Throws what the lookup failed with. */
    @Nullable Object result() throws Throwable {
        if (failed != null) {
            throw failed;
        }
        return result;
    }

    /** Nobody waits for the try in flight any more. */
    void cancel() {
        CompletionStage<?> current = stage;
        stage = null;
        if (current != null) {
            try {
                current.toCompletableFuture().cancel(true);
            } catch (RuntimeException e) {
                // a stage need not be a future; then its answer is ignored
            }
        }
    }
}
