// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
@Timeout(7_200)
public abstract class CrashContract {
    private static final int PARTITIONS = 4;

    @TempDir
    private Path folder;

    private TestBroker broker;
    private String from;
    private String to;

    protected abstract KilledJob job();

    /** How many brokers there are, 1 or 3. */
    protected int brokers() {
        return 1;
    }

    @BeforeEach
    void start() throws Exception {
        broker = TestBroker.start(brokers());
        from = broker.topic(PARTITIONS);
        to = broker.topic(PARTITIONS);
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private Killer killer(Guarantee guarantee) {
        return new Killer(job(), broker, folder, from, to, guarantee);
    }

    private List<String> results(Guarantee guarantee, int kills) throws Exception {
        Killer killer = killer(guarantee);
        int numbers = Numbers.sentWhile(broker, from, () -> PARTITIONS, () -> killer.kill(kills));
        return results(killer, guarantee, numbers);
    }

    private List<String> results(Killer killer, Guarantee guarantee, int numbers) throws Exception {
        killer.runUntil(numbers);
        System.out.println(guarantee.words() + ": " + killer + ", " + numbers + " numbers");
        List<String> results = broker.values(to);
        assertThat(Numbers.missing(results, numbers)).as("%s", killer).isEmpty();
        return results;
    }

    /** Each result is in the topic once, for those who read what is committed. */
    protected final void shouldShowEachResultOnce(int kills) throws Exception {
        Numbers.shouldBeCountedOnce(results(Guarantee.EXACTLY_ONCE, kills));
    }

    /** The same of a topic that gets more partitions, one while the job runs, and one while it does not. */
    protected final void shouldShowEachResultOfAddedPartitionsOnce(int kills) throws Exception {
        Killer killer = killer(Guarantee.EXACTLY_ONCE);
        AtomicInteger partitions = new AtomicInteger(PARTITIONS);
        int numbers = Numbers.sentWhile(broker, from, partitions::get, () -> {
            killer.kill(kills / 2);
            killer.runThrough(() -> broker.first(from, grow(partitions)));
            killer.kill(kills * 3 / 4);
            grow(partitions);
            killer.kill(kills);
        });
        Numbers.shouldBeCountedOnce(results(killer, Guarantee.EXACTLY_ONCE, numbers));
        for (int partition = PARTITIONS; partition < partitions.get(); partition++) {
            assertThat(broker.end(from, partition)).as("%d", partition).isPositive();
        }
    }

    /** Adds a partition, and gives its number. */
    private int grow(AtomicInteger partitions) throws Exception {
        broker.grow(from, partitions.get() + 1);
        return partitions.getAndIncrement();
    }

    /** Each result is in the topic, some of them twice. */
    protected final void shouldLoseNoResult(int kills) throws Exception {
        assertThat(results(Guarantee.AT_LEAST_ONCE, kills)).isNotEmpty();
    }
}
