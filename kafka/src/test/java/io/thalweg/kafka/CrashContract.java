// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import java.nio.file.Path;
import java.util.List;
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
@Timeout(3_600)
public abstract class CrashContract {
    private static final int PARTITIONS = 4;

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

    private List<String> results(Guarantee guarantee, int kills) throws Exception {
        Killer killer = new Killer(job(), broker, folder, from, to, guarantee);
        int numbers = Numbers.sentWhile(broker, from, PARTITIONS, () -> killer.kill(kills));
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

    /** Each result is in the topic, some of them twice. */
    protected final void shouldLoseNoResult(int kills) throws Exception {
        assertThat(results(Guarantee.AT_LEAST_ONCE, kills)).isNotEmpty();
    }
}
