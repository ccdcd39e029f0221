// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A consumer group whose fault is known, the blind half of groups: written by someone who had not read the doctor's rules, before any
 * of them was run.
 *
 * @param name also of its topic and its group
 * @param faults rules one of which must find something first; none if the group is healthy
 * @param partitions of its topic
 * @param readers members, each a thread
 * @param readUs how long a reader takes for a record
 * @param perSecond records that are written
 * @param ofTenToFirst how many of ten records go to the first partition; the others are spread over the other ones; 0 to spread all
 */
record BlindGroup(
        String name, List<String> faults, int partitions, int readers, long readUs, long perSecond, int ofTenToFirst) {
    private static final Duration POLL = Duration.ofMillis(100);

    static List<BlindGroup> all() {
        return List.of(
                new BlindGroup("blind-five-readers", List.of("idle-members"), 3, 5, 200, 900, 0),
                new BlindGroup("blind-slow-readers", List.of("growing-lag"), 4, 2, 2_000, 2_500, 0),
                new BlindGroup("blind-one-partition", List.of("skewed-partitions"), 4, 4, 2_000, 1_000, 9),
                new BlindGroup("blind-healthy-readers", List.of(), 4, 2, 200, 900, 0));
    }

    /** Writes and reads until it is told to end. */
    final class Running {
        private final CountDownLatch over = new CountDownLatch(1);
        private final List<Thread> threads = new ArrayList<>();

        Running(String address) {
            for (int i = 0; i < readers; i++) {
                threads.add(new Thread(() -> read(address), name + "-reader"));
            }
            threads.add(new Thread(() -> write(address), name + "-writer"));
            threads.forEach(Thread::start);
        }

        private boolean isOver(long ms) {
            try {
                return over.await(ms, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private void read(String address) {
            try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                    Map.of(
                            "bootstrap.servers", address,
                            "group.id", name,
                            "auto.offset.reset", "earliest",
                            "max.poll.records", "100",
                            "auto.commit.interval.ms", "500"),
                    new ByteArrayDeserializer(),
                    new ByteArrayDeserializer())) {
                consumer.subscribe(List.of(name));
                while (!isOver(0)) {
                    consumer.poll(POLL).forEach(message -> LockSupport.parkNanos(readUs * 1_000));
                }
            }
        }

        private void write(String address) {
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", address), new ByteArraySerializer(), new ByteArraySerializer())) {
                for (long written = 0, round = 1; !isOver(10); round++) {
                    for (; written < round * perSecond / 100; written++) {
                        var unused = producer.send(new ProducerRecord<>(name, partition(written), null, new byte[100]));
                    }
                }
            }
        }

        private int partition(long number) {
            if (ofTenToFirst == 0) {
                return (int) (number % partitions);
            }
            return number % 10 < ofTenToFirst ? 0 : 1 + (int) (number / 10 % (partitions - 1));
        }

        void end() throws InterruptedException {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
