// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.flink.runtime.messages.FlinkJobNotFoundException;
import org.apache.flink.runtime.rest.util.RestClientException;

/** Waits for what a cluster answers, but not without limit, as Flink's client does, also where an answer was lost. */
final class Answer {
    private static final long LONGEST_MS = 30_000;

    /** How often in a row a cluster may not be reached. With what Flink's client tries itself each time, that is about a minute. */
    private static final int MOST_BROKEN = 20;

    /** Of the longest time for an answer, how much is waited before a cluster that cannot be reached is asked again. */
    private static final int PART_WAITED = 15;

    private static final int TOLD_EVERY = 10;
    private static final int UNAVAILABLE = 503;
    private static final int NOT_FOUND = 404;

    private Answer() {}

    /** What can be done without. */
    static <T> T of(CompletableFuture<T> asked) throws ExecutionException, InterruptedException {
        try {
            return within(LONGEST_MS, asked);
        } catch (TimeoutException e) {
            throw new ExecutionException("Flink has not answered within " + LONGEST_MS / 1_000 + " s", e);
        }
    }

    /**
     * Asks again until there is an answer, also of a cluster that cannot be reached for a moment, as while a JobManager takes over.
     *
     * @param lost is told that none has come
     * @throws ExecutionException if the answer is a failure, or the cluster cannot be reached for longer
     */
    static <T> T to(Supplier<CompletableFuture<T>> question, Consumer<String> lost)
            throws ExecutionException, InterruptedException {
        return to(question, lost, LONGEST_MS);
    }

    static <T> T to(Supplier<CompletableFuture<T>> question, Consumer<String> lost, long longestMs)
            throws ExecutionException, InterruptedException {
        int broken = 0;
        while (true) {
            try {
                return within(longestMs, question.get());
            } catch (TimeoutException e) {
                lost.accept("Flink has not answered within " + longestMs / 1_000 + " s; asking again");
            } catch (ExecutionException e) {
                if (!isUnreachable(e)) {
                    throw e;
                }
                broken++;
                if (broken == MOST_BROKEN) {
                    throw new ExecutionException(new ConnectorException("Flink cannot be reached any more ("
                            + FailureText.words(e) + "), and the job may run on there: look for it on Flink's web page,"
                            + " and cancel it there before you start it again"));
                }
                if (broken % TOLD_EVERY == 1) {
                    lost.accept("Flink cannot be reached: " + FailureText.words(e) + "; asking again");
                }
                boolean unused = new CountDownLatch(1).await(longestMs / PART_WAITED, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static boolean isUnreachable(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            boolean unavailable = each instanceof RestClientException answer
                    && answer.getHttpResponseStatus().code() == UNAVAILABLE; // between two leaders
            if (unavailable || each instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** True if the cluster could not be reached any more, so that nobody knows whether it has done what it was asked for. */
    static boolean isLost(ExecutionException thrown) {
        return thrown.getCause() instanceof ConnectorException;
    }

    /** True if the cluster does not know the job that it was asked about: mostly an error of the server, of which only the text comes. */
    static boolean isUnknown(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            boolean notFound = each instanceof RestClientException answer
                    && answer.getHttpResponseStatus().code() == NOT_FOUND;
            if (notFound || String.valueOf(each.getMessage()).contains(FlinkJobNotFoundException.class.getName())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits until what is asked for once is done, as the submission of a job is: until there is an answer, or it shows.
     *
     * @param shows completes if it is done, and fails if not
     * @param lost is told each time that no answer has come
     * @throws ExecutionException if it is not done, or if that {@link #isLost}
     */
    static void once(CompletableFuture<?> asked, Supplier<? extends CompletableFuture<?>> shows, Consumer<String> lost)
            throws ExecutionException, InterruptedException {
        once(asked, shows, lost, LONGEST_MS);
    }

    static void once(
            CompletableFuture<?> asked,
            Supplier<? extends CompletableFuture<?>> shows,
            Consumer<String> lost,
            long longestMs)
            throws ExecutionException, InterruptedException {
        boolean done = false;
        while (!done) {
            try {
                asked.get(longestMs, TimeUnit.MILLISECONDS);
                done = true;
            } catch (TimeoutException e) {
                lost.accept(
                        "Flink has not answered within " + longestMs / 1_000 + " s; looking whether it has the job");
                done = isDone(shows.get(), longestMs);
            } catch (ExecutionException e) { // perhaps of a connection that broke before the answer came
                if (!shows(shows, lost, longestMs)) {
                    throw e;
                }
                done = true;
            }
        }
    }

    private static boolean shows(Supplier<? extends CompletableFuture<?>> shows, Consumer<String> lost, long longestMs)
            throws ExecutionException, InterruptedException {
        try {
            to(() -> shows.get().thenApply(answer -> true), lost, longestMs);
            return true;
        } catch (ExecutionException e) {
            if (isLost(e)) {
                throw e;
            }
            return false;
        }
    }

    private static boolean isDone(CompletableFuture<?> shows, long longestMs) throws InterruptedException {
        try {
            within(longestMs, shows);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static <T> T within(long longestMs, CompletableFuture<T> asked)
            throws ExecutionException, InterruptedException, TimeoutException {
        try {
            return asked.get(longestMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            asked.cancel(false);
            throw e;
        }
    }
}
