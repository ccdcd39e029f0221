// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.util.List;
import java.util.function.LongSupplier;

/** Writes without transactions: a checkpoint waits until Kafka has acknowledged everything that was written before it. */
final class PlainWriter<T> implements CheckpointedWriter<T> {
    private final SinkSettings sink;
    private final MessageMaker<T> messages;
    private final SinkContext context;
    private final Sender sender;

    /** True if {@link #write} must wait for each message, because its record is acked when {@code write} returns. */
    private final boolean eachAtOnce;

    private final ProducerWatch watch;

    private PlainWriter(
            SinkSettings sink, MessageMaker<T> messages, SinkContext context, LongSupplier clockNs, Sender sender) {
        this.sink = sink;
        this.messages = messages;
        this.context = context;
        this.sender = sender;
        eachAtOnce = context.guarantee() == Guarantee.ACKED && context.checkpoint() == SinkContext.NO_CHECKPOINTS;
        watch = ProducerWatch.start(sink, context, List.of(sender), clockNs);
    }

    static <T> PlainWriter<T> open(
            SinkSettings sink, MessageMaker<T> messages, SinkContext context, LongSupplier clockNs) {
        return new PlainWriter<>(sink, messages, context, clockNs, Sender.plain(sink));
    }

    @Override
    public void write(T value) throws Exception {
        sender.send(messages.message(value));
        if (eachAtOnce) {
            sender.flush();
        }
    }

    @Override
    public byte[] save(long checkpoint) throws InterruptedException {
        sender.flush();
        return SavedOutput.withoutTransactions(sink.topic()).toBytes();
    }

    @Override
    public void restore(List<byte[]> saved) throws InterruptedException {
        Takeover.finish(sink, context, saved);
    }

    @Override
    public void finish() throws InterruptedException {
        sender.flush();
    }

    @Override
    public void close() {
        watch.close();
        sender.close();
    }
}
