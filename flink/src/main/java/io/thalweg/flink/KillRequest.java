// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks Flink to cancel a job at once, and again where it does not: nobody else would, and the job would go on. Any thread may call. */
final class KillRequest {
    private static final long AGAIN_MS = 1_000;

    /** As {@link Answer} has it. */
    private static final long LONGEST_MS = 30_000;

    /** The first one may be of a job that has just ended. */
    private static final int TOLD_AT = 2;

    private final Supplier<? extends CompletableFuture<?>> cancel;
    private final Consumer<String> refused;
    private @Nullable CompletableFuture<?> asked;
    private long askedMs;
    private int failures;

    /**
     * @param cancel asks Flink
     * @param refused told, once, why the job cannot be cancelled
     */
    KillRequest(Supplier<? extends CompletableFuture<?>> cancel, Consumer<String> refused) {
        this.cancel = cancel;
        this.refused = refused;
    }

    synchronized void ask(long nowMs) {
        asked = cancel.get();
        askedMs = nowMs;
    }

    /** To be called periodically while the job is known to go on. */
    synchronized void look(long nowMs) {
        CompletableFuture<?> last = asked;
        if (last == null || nowMs - askedMs < (last.isDone() ? AGAIN_MS : LONGEST_MS)) {
            return;
        }
        String problem = last.isDone() ? problem(last) : "it has not answered within " + LONGEST_MS / 1_000 + " s";
        if (problem == null) {
            return;
        }
        if (++failures == TOLD_AT) {
            refused.accept(problem);
        }
        ask(nowMs);
    }

    /** Why it has failed; null if it has not. */
    private static @Nullable String problem(CompletableFuture<?> done) {
        Throwable thrown = done.handle((answer, problem) -> problem).join();
        return thrown == null ? null : FailureText.words(thrown);
    }
}
