// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SinkReports;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a task that are under way, each on a thread of its own. Everything that becomes of them is told to the task's thread,
 * in its calls.
 */
final class RequestsInFlight implements AutoCloseable {
    private final int most;
    private final Delivery delivery;
    private final ExecutorService threads;

    /** What the threads have to tell, in order. */
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    private int underWay;
    private @Nullable RuntimeException failed;

    /** @param making of a delivery, from what hears of bad records */
    RequestsInFlight(String name, int most, SinkReports reports, Function<Consumer<BadRecord>, Delivery> making) {
        this.most = most;
        delivery = making.apply(record -> events.add(() -> reports.bad(record)));
        threads = Executors.newFixedThreadPool(most, task -> {
            Thread thread = new Thread(task, "requests of " + name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Waits while there are as many as there may be. */
    void submit(Batch batch) throws InterruptedException {
        listen();
        while (underWay >= most) {
            hear(events.take());
        }
        underWay++;
        threads.execute(() -> deliver(batch));
    }

    private void deliver(Batch batch) {
        try {
            delivery.send(batch);
            events.add(() -> underWay--);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it was closed
        } catch (RuntimeException e) {
            events.add(() -> {
                throw e;
            });
        } catch (Error e) {
            events.add(() -> {
                throw new ConnectorException("cannot send a request: " + e, e);
            });
        }
    }

    /** There is something to tell. */
    boolean hasNews() {
        return !events.isEmpty();
    }

    /** Tells what there is to tell, without waiting. */
    void listen() {
        if (failed != null) {
            throw failed;
        }
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            hear(event);
        }
    }

    /** Waits until all that was submitted is with the service, or a dead letter. */
    void flush() throws InterruptedException {
        listen();
        while (underWay > 0) {
            hear(events.take());
        }
    }

    /** A failure is one for good: what was not sent is lost to a writer that goes on. */
    private void hear(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            failed = e;
            throw e;
        }
    }

    /** What is under way is given up. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
