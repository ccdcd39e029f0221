// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.operator.ConnectionReports;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Looks after the producers of a task, on a thread of its own, because the task's waits in Kafka's client for a lost cluster. */
final class ProducerWatch implements AutoCloseable {
    /** How long nothing may be sent that waits to be, before the topic is looked for. */
    private static final long STUCK_NS = Duration.ofSeconds(10).toNanos();

    private final SinkSettings sink;
    private final ConnectionReports connections;
    private final String operator;
    private final List<Sender> senders;
    private final Silence silence;
    private final LongSupplier clockNs;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long sent = -1;

    /** When something was sent last, or nothing waited; or when the topic was looked for. */
    private long sentNs;

    private ProducerWatch(SinkSettings sink, SinkContext context, List<Sender> senders, LongSupplier clockNs) {
        this.sink = sink;
        connections = context.reports().connections();
        operator = context.operator();
        this.senders = List.copyOf(senders);
        silence = new Silence(sink.settings().servers(), connections, Silence.PATIENCE);
        this.clockNs = clockNs;
    }

    static ProducerWatch start(SinkSettings sink, SinkContext context, List<Sender> senders, LongSupplier clockNs) {
        ProducerWatch watch = new ProducerWatch(sink, context, senders, clockNs);
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

    private void look() throws InterruptedException {
        boolean waiting = false;
        double bytes = 0;
        long records = 0;
        for (Sender sender : senders) {
            waiting |= sender.waits();
            bytes += sender.bytesIn();
            records += sender.sent();
        }
        long nowNs = clockNs.getAsLong();
        silence.look(nowNs, waiting, bytes);
        report();
        if (!waiting || records != sent) {
            sent = records;
            sentNs = nowNs;
            connections.restored(topic());
        } else if (nowNs - sentNs >= STUCK_NS && silence.answers(nowNs)) {
            sentNs = nowNs;
            lookForTopic();
        }
    }

    /** The client waits for one that was deleted as for a leader that moves, without a word. */
    private void lookForTopic() throws InterruptedException {
        var there = TopicList.ofRunning(sink.settings()).idsNow(List.of(sink.topic()));
        if (there.isPresent() && there.get().isEmpty()) {
            connections.lost(topic(), "it was deleted; delivery.timeout.ms and max.block.ms limit the wait");
        }
    }

    private String topic() {
        return "topic " + sink.topic() + " at " + sink.settings().servers();
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
