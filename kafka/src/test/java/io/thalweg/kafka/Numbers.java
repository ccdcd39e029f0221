// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/** The numbers that a {@link CrashJob} reads, and what must be in its results. */
final class Numbers {
    private static final int SENT_AT_ONCE = 100;
    private static final int SEND_EACH_NS = 50_000_000;

    private Numbers() {}

    /** What is done while numbers come. */
    interface Action {
        void run() throws Exception;
    }

    /**
     * Sends numbers until something is done, and says how many there were.
     *
     * @param partitions how many the topic has at the moment
     */
    static int sentWhile(TestBroker broker, String topic, IntSupplier partitions, Action action) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        Thread feed = new Thread(
                () -> {
                    while (!over.get()) {
                        int next = sent.get();
                        broker.sendNumbersAsync(topic, partitions.getAsInt(), next, next + SENT_AT_ONCE);
                        sent.set(next + SENT_AT_ONCE);
                        LockSupport.parkNanos(SEND_EACH_NS);
                    }
                },
                "feed");
        feed.start();
        try {
            action.run();
        } finally {
            over.set(true);
            feed.join();
        }
        broker.flush();
        return sent.get();
    }

    /** The number of a result. */
    static int of(String result) {
        return Integer.parseInt(result.substring(0, result.indexOf(',')));
    }

    /** Those without a result. */
    static Set<Integer> missing(List<String> results, int numbers) {
        Set<Integer> missing = new HashSet<>();
        for (int number = 0; number < numbers; number++) {
            missing.add(number);
        }
        results.forEach(result -> missing.remove(of(result)));
        return missing;
    }

    /** Each number has one result, and within its key each count is there once, without a gap. */
    static void shouldBeCountedOnce(List<String> results) {
        Map<Integer, Set<Long>> counts = new HashMap<>();
        Set<Integer> numbers = new HashSet<>();
        for (String result : results) {
            String[] parts = result.split(",");
            assertThat(numbers.add(of(result))).as("once: %s", result).isTrue();
            assertThat(counts.computeIfAbsent(Integer.parseInt(parts[1]), key -> new HashSet<>())
                            .add(Long.parseLong(parts[2])))
                    .as("counted once: %s", result)
                    .isTrue();
        }
        counts.forEach((key, of) -> assertThat(of).as("key %d", key).contains(1L, (long) of.size()));
    }
}
