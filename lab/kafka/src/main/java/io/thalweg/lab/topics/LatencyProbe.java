// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.Cell;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Both ends of a job that copies messages from topic to topic: sends messages that are due at a fixed rate, and takes the time from when
 * each was due until a consumer with {@code read_committed} has it. Begins when a first message, sent to find out, has come through; the
 * messages of the warm-up are checked like the others, but not timed.
 */
final class LatencyProbe {
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(2);
    private static final long LONGEST_PARK_NS = 50_000;
    private static final long PILOT_NS = 50_000_000;

    /** The number of messages that only find out whether the job runs. */
    private static final long PILOT = -1;

    private static final Duration POLL = Duration.ofMillis(100);

    private final Cell cell;
    private final long warmUp;
    private final long count;
    private final double intervalNs;
    private final Histogram latencies = new Histogram(1, LONGEST_NS, 3);
    private volatile boolean begun;
    private volatile boolean ended;

    private LatencyProbe(Cell cell) {
        this.cell = cell;
        long rate = cell.ratePerSecond();
        warmUp = rate * seconds("warm-up");
        count = warmUp + rate * seconds("seconds");
        intervalNs = 1e9 / rate;
    }

    private long seconds(String name) {
        return Long.parseLong(cell.set().getOrDefault(name, "5"));
    }

    /** Answers how many messages came through; their latencies are in {@link Latencies}. */
    static Figures run(Cell cell) throws Exception {
        LatencyProbe probe = new LatencyProbe(cell);
        long beganNs = System.nanoTime();
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            Future<Long> received = threads.submit(probe::receive);
            probe.send(received);
            long all = received.get();
            Latencies.of(probe.latencies).write(cell.folder().path());
            long ns = System.nanoTime() - beganNs;
            return new Figures(all, 0, ns, ns);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } finally {
            probe.ended = true;
            threads.shutdown();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what does not arrive is missed by the receiver
    private void send(Future<?> receiver) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", cell.text("broker", ""), "acks", "all", "linger.ms", 0, "batch.size", 131_072);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            while (!begun && !receiver.isDone()) {
                producer.send(message(PILOT, System.nanoTime()));
                LockSupport.parkNanos(PILOT_NS);
            }
            long startNs = System.nanoTime();
            for (long number = 0; number < count && !receiver.isDone(); number++) {
                long dueNs = startNs + (long) (number * intervalNs);
                long left;
                while ((left = dueNs - System.nanoTime()) > 0) {
                    LockSupport.parkNanos(Math.min(left, LONGEST_PARK_NS));
                }
                producer.send(message(number, dueNs));
            }
        }
    }

    private ProducerRecord<byte[], byte[]> message(long number, long dueNs) {
        byte[] value = new byte[Payloads.SIZE];
        ByteBuffer.wrap(value).putLong(number).putLong(dueNs);
        int partition = Math.floorMod(number, Cluster.PARTITIONS);
        return new ProducerRecord<>(cell.text("topic", ""), partition, null, value);
    }

    /** Until all have come, or nothing for {@link #LONGEST_NS}. Answers how many have. */
    private long receive() {
        List<TopicPartition> all = IntStream.range(0, Cluster.PARTITIONS)
                .mapToObj(partition -> new TopicPartition(cell.set().getOrDefault("out", ""), partition))
                .toList();
        Arrivals arrivals = new Arrivals(Math.toIntExact(count));
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        cell.text("broker", ""),
                        "isolation.level",
                        "read_committed",
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(all);
            consumer.seekToBeginning(all);
            long lastNs = System.nanoTime();
            while (arrivals.left() > 0 && !ended) {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
                    long nowNs = System.nanoTime();
                    lastNs = nowNs;
                    begun = true;
                    ByteBuffer value = ByteBuffer.wrap(message.value());
                    long number = value.getLong();
                    long dueNs = value.getLong();
                    if (number != PILOT) {
                        arrivals.add(number);
                        if (number >= warmUp) {
                            latencies.recordValue(Math.min(LONGEST_NS, Math.max(1, nowNs - dueNs)));
                        }
                    }
                }
                if (System.nanoTime() - lastNs > LONGEST_NS) {
                    throw new IllegalStateException(
                            "of " + count + " messages " + arrivals.left() + " did not come through");
                }
            }
        }
        return count - arrivals.left();
    }
}
