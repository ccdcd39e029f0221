// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SinkContext;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Looks after the producers of a task, on a thread of its own, because the task's waits in Kafka's client for a lost cluster. */
final class ProducerWatch implements AutoCloseable {
    private final String operator;
    private final List<Sender> senders;
    private final Silence silence;
    private final LongSupplier clockNs;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ProducerWatch(String operator, List<Sender> senders, Silence silence, LongSupplier clockNs) {
        this.operator = operator;
        this.senders = List.copyOf(senders);
        this.silence = silence;
        this.clockNs = clockNs;
    }

    static ProducerWatch start(SinkSettings sink, SinkContext context, List<Sender> senders, LongSupplier clockNs) {
        Silence silence =
                new Silence(sink.settings().servers(), context.reports().connections(), Silence.PATIENCE);
        ProducerWatch watch = new ProducerWatch(context.operator(), senders, silence, clockNs);
        watch.report();
        Thread thread = new Thread(watch::run, "watches " + context.operator() + " " + context.task());
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    private void run() {
        try {
            while (!closed.await(1, TimeUnit.SECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        boolean waiting = false;
        double bytes = 0;
        for (Sender sender : senders) {
            waiting |= sender.waits();
            bytes += sender.bytesIn();
        }
        silence.look(clockNs.getAsLong(), waiting, bytes);
        report();
    }

    private void report() {
        senders.forEach(sender -> sender.report(operator));
    }

    @Override
    public void close() {
        closed.countDown();
        report();
    }
}
