// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.RunningJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From topic to topic, exactly once, on a cluster that loses processes one by one with SIGKILL, while what leads it lives on. */
@Tag("long")
@Timeout(900)
public abstract class LostWorkerContract {
    private static final int PARTITIONS = 4;
    /** More than processes are left, so that each has some. */
    private static final int TASKS = 3;

    /** So many results come before, between and after two losses. */
    private static final int SOME = 1_000;

    private static final Duration LOOK = Duration.ofMillis(50);

    @TempDir
    private Path folder;

    private TestBroker broker;

    /** Starts a job of {@link CrashJob} on the cluster; it restarts by itself. */
    protected abstract RunningJob start(String[] arguments) throws Exception;

    /** How many processes may be lost. */
    protected abstract int losses();

    /** Kills one. */
    protected abstract void lose(int loss) throws Exception;

    @BeforeEach
    void startBroker() throws Exception {
        broker = TestBroker.start();
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    @Test
    void shouldShowEachResultOnce_whereProcessesAreLost() throws Exception {
        String from = broker.topic(PARTITIONS);
        String to = broker.topic(PARTITIONS);
        Path phases = folder.resolve("phases");
        RunningJob job = start(new String[] {
            broker.address(),
            from,
            to,
            folder.resolve("checkpoints").toString(),
            Guarantee.EXACTLY_ONCE.name(),
            Integer.toString(TASKS),
            phases.toString(),
            PhaseSink.Phase.RESTORE.name(),
            "0"
        });
        Set<Integer> found = new HashSet<>();
        try (TestBroker.Following following = broker.follow(to)) {
            int numbers = Numbers.sentWhile(broker, from, () -> PARTITIONS, () -> {
                for (int loss = 0; loss < losses(); loss++) {
                    awaitResults(job, following, found, found.size() + SOME);
                    lose(loss);
                }
                awaitResults(job, following, found, found.size() + SOME);
            });
            awaitResults(job, following, found, numbers);
            job.drain();
            job.await();

            assertThat(Numbers.missing(broker.values(to), numbers)).isEmpty();
        }
        Numbers.shouldBeCountedOnce(broker.values(to));
        assertThat(Files.readAllLines(phases))
                .filteredOn(line -> line.contains(" " + PhaseSink.Phase.RESTORE + " "))
                .hasSizeGreaterThanOrEqualTo(losses());
    }

    private static void awaitResults(RunningJob job, TestBroker.Following following, Set<Integer> found, int count)
            throws Exception {
        while (found.size() < count) {
            following.poll().forEach(result -> found.add(Numbers.of(result)));
            assertThat(job.await(LOOK)).as("it has ended").isFalse();
        }
    }
}
