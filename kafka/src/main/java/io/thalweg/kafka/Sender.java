// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** A producer whose failures are thrown as one-line messages, at the latest by {@link #flush}. For one thread. */
final class Sender implements Callback, AutoCloseable {
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final SinkSettings sink;
    private final String transactionalId;
    private final boolean acks;
    private final Producer<byte[], byte[]> producer;
    private final long client = ClientMetrics.number();

    /** A call is in Kafka's client, perhaps for as long as the cluster is away. Set for each message, so without a fence. */
    private final AtomicBoolean calling = new AtomicBoolean();

    /** The first failure of a message, set by the producer's thread. */
    private volatile @Nullable Exception failed;

    /** Of the open transaction; null if nobody asks. The producer's thread sees it with the messages that are sent after it was set. */
    private @Nullable SentOffsets places;

    private Sender(SinkSettings sink, String transactionalId, Producer<byte[], byte[]> producer) {
        this.sink = sink;
        this.transactionalId = transactionalId;
        this.producer = producer;
        acks = sink.acks();
    }

    static Sender plain(SinkSettings sink) {
        return new Sender(sink, "", sink.producer());
    }

    /** Makes a producer with this transactional id: fences the earlier one, and aborts its open transaction. */
    static Sender transactional(SinkSettings sink, String id) throws InterruptedException {
        Sender sender = new Sender(sink, id, sink.producer(id));
        boolean made = false;
        try {
            sender.guarded(sender.producer::initTransactions);
            made = true;
        } finally {
            if (!made) {
                sender.close();
            }
        }
        return sender;
    }

    /**
     * Fences the producers of an output's ids, and aborts their open transactions. The admin client could do it too,
     * but takes half a second each.
     */
    static void fence(SinkSettings sink, OutputName name) throws InterruptedException {
        for (String id : name.transactionalIds()) {
            transactional(sink, id).close();
        }
    }

    void send(ProducerRecord<byte[], byte[]> message) throws InterruptedException {
        check();
        calling.setOpaque(true);
        try {
            var unused = producer.send(message, this);
        } catch (KafkaException e) {
            throw told(e);
        } finally {
            calling.setOpaque(false);
        }
    }

    /** Waits until Kafka has acknowledged all messages. */
    void flush() throws InterruptedException {
        guarded(producer::flush);
        check();
    }

    void begin() throws InterruptedException {
        places = null;
        guarded(producer::beginTransaction);
    }

    /** Adds the state of the output to the transaction, whose messages may still be on their way. */
    void prepare(OutputName name, OutputNumbers.Entry entry) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(
                OutputNumbers.place(sink.topic()),
                new OffsetAndMetadata(entry.number(), Optional.empty(), entry.metadata()));
        guarded(() -> producer.sendOffsetsToTransaction(offsets, group(name)));
    }

    /** Tells the offset of each message that is sent from now on in this transaction. */
    void tell(SentOffsets to) {
        places = to;
    }

    /** Of a group without members. In Kafka 5 this becomes an interface. */
    @SuppressWarnings("removal")
    private static ConsumerGroupMetadata group(OutputName name) {
        return new ConsumerGroupMetadata(name.toString());
    }

    /** Waits until all messages of the transaction have arrived, and commits it. */
    void commit() throws InterruptedException {
        guarded(producer::commitTransaction);
    }

    void abort() throws InterruptedException {
        guarded(producer::abortTransaction);
        failed = null; // including what was sent in it
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        SentOffsets told = places;
        if (exception != null) {
            failed = failed == null ? exception : failed;
        } else if (told != null && metadata != null) {
            told.arrived(metadata.partition(), metadata.offset());
        }
    }

    private void check() throws InterruptedException {
        Exception first = failed;
        if (first != null) {
            throw told(first);
        }
    }

    private void guarded(Runnable step) throws InterruptedException {
        calling.setOpaque(true);
        try {
            step.run();
        } catch (KafkaException e) {
            throw told(e);
        } finally {
            calling.setOpaque(false);
        }
    }

    /** Something is on its way to the cluster that has not been answered. Any thread may call. */
    boolean waits() {
        var metrics = producer.metrics();
        return calling.getOpaque()
                || ClientMetrics.of(metrics, "buffer-available-bytes")
                        < ClientMetrics.of(metrics, "buffer-total-bytes");
    }

    /** Messages that were sent to the cluster, whatever it has answered. Any thread may call. */
    long sent() {
        return ClientMetrics.total(producer.metrics(), "record-send-total");
    }

    /** What the cluster has sent so far; without acks it sends nothing, and what was sent to it has to do. Any thread may call. */
    double bytesIn() {
        var metrics = producer.metrics();
        return ClientMetrics.bytesIn(metrics) + (acks ? 0 : ClientMetrics.of(metrics, "outgoing-byte-total"));
    }

    /** Tells a recording that has asked for it what was done so far. Any thread may call. */
    void report(String operator) {
        if (ClientMetrics.RECORDED) {
            SendsEvent.report(operator, client, sink, producer.metrics());
        }
    }

    private RuntimeException told(Exception thrown) throws InterruptedException {
        Exception first = failed;
        if (thrown instanceof InterruptException) {
            Thread.interrupted(); // the exception reports the interrupt
            throw new InterruptedException("interrupted while writing " + sink);
        }
        return new Failures(sink.settings()).ofWriting(sink, transactionalId, first == null ? thrown : first);
    }

    /** Aborts what is not committed. */
    @Override
    public void close() {
        try {
            producer.close(CLOSING);
        } catch (KafkaException e) {
            // interrupted, or broken already: nothing can be saved
        }
    }
}
