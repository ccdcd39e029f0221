// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * From topic to topic, by a job in a JVM of its own that is killed with SIGKILL in each phase of writing. More kills: {@code -Pcrash}, or
 * {@code -Dthalweg.kills=100}; the same moments again: {@code -Dthalweg.kills.seed=N}.
 */
@Tag("one-jdk")
@Timeout(1_800)
public abstract class CrashContract {
    private static final int PARTITIONS = 4;
    private static final int SENT_AT_ONCE = 100;
    private static final int SEND_EACH_NS = 50_000_000;

    @TempDir
    private Path folder;

    private TestBroker broker;
    private String from;
    private String to;

    protected abstract KilledJob job();

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start();
        from = broker.topic(PARTITIONS);
        to = broker.topic(PARTITIONS);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    /** Sends numbers until it is told to stop, and says how many there were. */
    private int feedWhile(Killing killing) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        Thread feed = new Thread(
                () -> {
                    while (!over.get()) {
                        int next = sent.get();
                        broker.sendNumbersAsync(from, PARTITIONS, next, next + SENT_AT_ONCE);
                        sent.set(next + SENT_AT_ONCE);
                        LockSupport.parkNanos(SEND_EACH_NS);
                    }
                },
                "feed");
        feed.start();
        try {
            killing.run();
        } finally {
            over.set(true);
            feed.join();
        }
        broker.flush();
        return sent.get();
    }

    /** What is done while numbers come. */
    private interface Killing {
        void run() throws Exception;
    }

    private List<String> results(Guarantee guarantee, int kills) throws Exception {
        Killer killer = new Killer(job(), broker, folder, from, to, guarantee);
        int numbers = feedWhile(() -> killer.kill(kills));
        killer.runUntil(numbers);
        System.out.println(guarantee.words() + ": " + killer + ", " + numbers + " numbers");
        Set<Integer> missing = new HashSet<>();
        for (int number = 0; number < numbers; number++) {
            missing.add(number);
        }
        List<String> results = broker.values(to);
        results.forEach(line -> missing.remove(Integer.parseInt(line.substring(0, line.indexOf(',')))));
        assertThat(missing).as("%s", killer).isEmpty();
        return results;
    }

    /** Each result is in the topic once, for those who read what is committed. */
    protected final void shouldShowEachResultOnce(int kills) throws Exception {
        List<String> results = results(Guarantee.EXACTLY_ONCE, kills);

        Map<Integer, Set<Long>> counts = new HashMap<>();
        Set<Integer> numbers = new HashSet<>();
        for (String line : results) {
            String[] parts = line.split(",");
            assertThat(numbers.add(Integer.parseInt(parts[0])))
                    .as("once: %s", line)
                    .isTrue();
            assertThat(counts.computeIfAbsent(Integer.parseInt(parts[1]), key -> new HashSet<>())
                            .add(Long.parseLong(parts[2])))
                    .as("counted once: %s", line)
                    .isTrue();
        }
        counts.forEach((key, of) -> assertThat(of).as("key %d", key).contains(1L, (long) of.size()));
    }

    /** Each result is in the topic, some of them twice. */
    protected final void shouldLoseNoResult(int kills) throws Exception {
        assertThat(results(Guarantee.AT_LEAST_ONCE, kills)).isNotEmpty();
    }
}
