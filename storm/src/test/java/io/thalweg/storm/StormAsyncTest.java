// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.stats.JobStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.AckSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.contract.AsyncRulesContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lookups on a LocalCluster. */
@Tag("integration")
final class StormAsyncTest extends AsyncRulesContract {
    private static final long RECORDS = 600;

    /** On a busy machine a tuple may take its time, and one that times out counts as failed. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final Map<Long, Integer> TRIES = new ConcurrentHashMap<>();

    @Override
    protected Runner runner(RunSettings settings) {
        return StormRunner.local(settings, 1);
    }

    @Override
    protected Guarantee guarantee() {
        return Guarantee.AT_LEAST_ONCE;
    }

    /** The first try of some fails, in the lookup or behind it; some are answered only after others. */
    private static CompletableFuture<Long> lookUp(Long number) {
        if (TRIES.merge(number, 1, Integer::sum) == 1 && number % 10 == 3) {
            return CompletableFuture.failedFuture(new RecordFailedException("busy"));
        }
        return CompletableFuture.supplyAsync(
                () -> number, CompletableFuture.delayedExecutor(number % 7, TimeUnit.MILLISECONDS));
    }

    private static Long failingAtFirst(Long number) {
        if (number % 10 == 4 && TRIES.getOrDefault(number, 0) == 1) {
            throw new RecordFailedException("not yet");
        }
        return number;
    }

    /** A tuple is acked when its record is answered and what came of it is done, and not before. */
    @Test
    void shouldAskAgainForRecordsThatFail_andAckEachOnce() throws Exception {
        TRIES.clear();
        CollectSink<Long> sink = CollectSink.of(Long.class);
        Topology topology = Topology.named("acked");
        topology.from(Sources.generate(RECORDS, number -> number).splitInto(2))
                .async()
                .concurrency(5)
                .unordered()
                .map(StormAsyncTest::lookUp)
                .as(Long.class)
                .shuffle()
                .map(StormAsyncTest::failingAtFirst)
                .to(sink);
        RunSettings settings = RunSettings.defaults()
                .withParallelism(2)
                .withAcks(AckSettings.defaults().withMaxPending(50).withTimeout(LONG), null);

        JobStats end = runner(settings).start(topology.graph()).await();

        List<Long> expected = LongStream.range(0, RECORDS).boxed().toList();
        assertThat(end.state()).isEqualTo(JobState.FINISHED);
        assertThat(sink.records()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(end.acks().acked()).isEqualTo(RECORDS);
        assertThat(end.acks().failed()).isEqualTo(RECORDS / 5);
        assertThat(TRIES.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo((int) (RECORDS + RECORDS / 5));
    }
}
