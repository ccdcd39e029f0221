// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.SinkMeter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The cells that write: some producers side by side, each in the loop of Kafka's ProducerPerformance. A record counts as received
 * when it is acknowledged, and its latency runs from when it was due until then.
 */
final class Producers {
    private static final long ROOM_TO_BEGIN = 8L << 30;
    private static final long ROOM_TO_GO_ON = 2L << 30;
    private static final long LONGEST_PARK_NS = 100_000;

    private final Cell cell;
    private final Brokers brokers;
    private final AtomicBoolean cancelled = new AtomicBoolean();

    Producers(Cell cell, Brokers brokers) {
        this.cell = cell;
        this.brokers = brokers;
    }

    /** Writes to a topic of its own, looks whether all of it is there, and deletes the topic. */
    void run(Topics topics) throws Exception {
        int payload = cell.payload();
        int partitions = KafkaDriver.partitions(cell);
        int replicas = (int) cell.number("replicas");
        if (brokers.room() < ROOM_TO_BEGIN) {
            throw new RefusedException("too little room on disk: " + brokers.room() / 1_000_000 + " MB");
        }
        String topic = topics.make("produced", partitions, replicas, (int) cell.number("min-insync-replicas", 2));
        try {
            long sent = produce(topic, payload);
            long held = topics.awaitRecords(topic, partitions, sent, Duration.ofMinutes(1));
            checkHeld(sent, held);
            if (cell.records() > 0) {
                Consumers.check(topic, partitions, payload, sent, brokers);
            }
        } finally {
            topics.delete(topic);
        }
    }

    /** Without a guarantee that allows it, a record that a client has sent again, and that is there twice, is one too many. */
    static void checkHeld(long sent, long held) {
        if (held != sent) {
            throw new IllegalStateException(
                    "of " + sent + " records sent " + (held < sent ? "only " : "") + held + " are in the topic");
        }
    }

    private long produce(String topic, int payload) throws Exception {
        int tasks = (int) cell.number("producers");
        ExecutorService threads = Executors.newFixedThreadPool(tasks);
        try {
            List<Future<Long>> sent = new ArrayList<>();
            for (int i = 0; i < tasks; i++) {
                int task = i;
                sent.add(threads.submit(() -> send(topic, payload, task, tasks)));
            }
            long total = 0;
            for (Future<Long> future : sent) {
                total += watched(future);
            }
            return total;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            cancelled.set(true);
            threads.shutdown();
        }
    }

    private long watched(Future<Long> future) throws Exception {
        while (true) {
            try {
                return future.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                brokers.check();
                if (brokers.room() < ROOM_TO_GO_ON) {
                    throw new IOException("the disk is nearly full: " + brokers.room() / 1_000_000 + " MB left", e);
                }
            }
        }
    }

    /** One producer's loop; answers how many records it sent. */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback says how it went
    private long send(String topic, int payload, int task, int tasks) {
        SinkMeter sink = Meters.of(cell).sink();
        Failure failure = new Failure();
        byte[] value = new byte[payload];
        Arrays.fill(value, (byte) 'T');
        Load load;
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings())) {
            producer.partitionsFor(topic);
            load = Load.open(cell, task, tasks);
            while (!load.ended() && !cancelled.get() && failure.first == null) {
                if (!load.due()) {
                    LockSupport.parkNanos(Math.min(LONGEST_PARK_NS, load.dueNs() - System.nanoTime()));
                    continue;
                }
                long dueNs = load.dueNs();
                long number = load.take();
                Payload.setNumber(value, number);
                producer.send(new ProducerRecord<>(topic, value), (metadata, problem) -> {
                    if (problem == null) {
                        sink.received(number, dueNs);
                    } else {
                        failure.first = problem;
                    }
                });
            }
        }
        Exception problem = failure.first;
        if (problem != null) {
            throw new KafkaException("a record was not acknowledged", problem);
        }
        return load.sent();
    }

    /** What the producer's own thread leaves for the sending one. */
    private static final class Failure {
        volatile @Nullable Exception first;
    }

    private Map<String, Object> settings() {
        return Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers.addresses(),
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.ACKS_CONFIG,
                cell.value("acks"),
                ProducerConfig.BATCH_SIZE_CONFIG,
                (int) cell.number("batch"),
                ProducerConfig.LINGER_MS_CONFIG,
                cell.number("linger-ms", 0),
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                cell.value("compression"),
                ProducerConfig.BUFFER_MEMORY_CONFIG,
                cell.number("buffer-memory", 64 << 20),
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                (int) cell.number("max-request-size", 32 << 20));
    }
}
