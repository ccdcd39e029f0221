// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.run.PlainText;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is kept of one run or tuning, on a thread of its own, one state of it at a time. What goes wrong is said in one line, once
 * for each thing. For one thread.
 */
final class HistoryWriter implements AutoCloseable {
    /** How long the end waits at most for what is under way: a file on a busy machine, or the lock of others. */
    private static final long LAST_WORD_MS = 30_000;

    private final RunStore store;
    private final String what;
    private final Consumer<String> say;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "thalweg-history");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Future<?> written;
    private volatile String said = "";

    /**
     * Into that store.
     *
     * @param what is kept, for people: {@code this run}
     * @param say told what goes wrong, in one line
     */
    HistoryWriter(RunStore store, String what, Consumer<String> say) {
        this.store = store;
        this.what = what;
        this.say = say;
    }

    /** Whether all that was to be written is. */
    boolean isIdle() {
        Future<?> last = written;
        return last == null || last.isDone();
    }

    /** Has it written, without waiting for it. */
    void write(RunStore.Run kept) {
        written = writer.submit(() -> put(() -> kept));
    }

    /** Has the state at the moment written now, and again and again; the thread that writes asks for it. */
    void writeEvery(long seconds, Supplier<RunStore.Run> state) {
        Future<?> unused = writer.scheduleWithFixedDelay(() -> put(state), 0, seconds, TimeUnit.SECONDS);
    }

    /** Throws nothing: an executor calls what has thrown no more, without a word. */
    private void put(Supplier<RunStore.Run> state) {
        try {
            store.put(state.get());
            said = "";
        } catch (ConnectorException e) {
            tell(Failures.oneLine(e));
        } catch (RuntimeException | Error e) {
            tell(PlainText.line(e.toString()));
        }
    }

    private void tell(String problem) {
        if (!problem.equals(said)) {
            said = problem;
            say.accept(what + " is not kept: " + problem);
        }
    }

    /** Waits until what was to be written last is, for a while at most. */
    void end() throws InterruptedException {
        Future<?> write = written;
        if (write == null) {
            return;
        }
        try {
            write.get(LAST_WORD_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            tell("its file was not written within " + LAST_WORD_MS / 1_000 + " seconds");
        } catch (ExecutionException e) {
            tell(PlainText.line(String.valueOf(e.getCause())));
        }
    }

    @Override
    public void close() {
        writer.shutdownNow();
    }
}
