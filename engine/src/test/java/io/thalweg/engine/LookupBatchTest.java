// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.Keyed;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.run.BadLimit;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that wait for a look-up of several keys are, in all that they lead to, what they are when they come. */
final class LookupBatchTest {
    private static final int KEYS = 10_000;
    private static final int RECORDS = 3 * KEYS;

    private final Topology topology = Topology.named("test");
    private final Collected<Keyed<Long, Long>> collected = new Collected<>(new ArrayList<>());
    private final List<BadRecord> bad = new ArrayList<>();
    private RunSettings settings = RunSettings.defaults()
            .withParallelism(1)
            .withThreads(0)
            .withBadLimit(BadLimit.none())
            .withBadRecords((topology, operator, record) -> bad.add(record));

    private record Collected<T>(List<T> records) implements Sink<T> {
        @Override
        public String name() {
            return "collected";
        }

        @Override
        public SinkWriter<T> open(SinkContext context) {
            return records::add;
        }
    }

    private Stream<Keyed<Long, Long>> sums(int divisor, RuntimeException thrown) {
        return topology.from(Sources.generate(RECORDS, n -> n))
                .keyBy(n -> n % KEYS)
                .aggregate(Aggregates.sum(n -> {
                    if (n > KEYS && n % divisor == 0) {
                        throw thrown;
                    }
                    return n;
                }))
                .name("sums");
    }

    private void run() throws InterruptedException {
        var job = new EmbeddedRunner(settings).start(topology.graph());
        while (job.step()) {
            // on to the end
        }
        job.await();
    }

    /** @param room for that many batches of four behind the operator; 0 if it is fused with the sink */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldEmitForEachRecordInOrder(int room) throws Exception {
        Stream<Keyed<Long, Long>> sums = sums(RECORDS, new IllegalStateException());
        (room == 0 ? sums : sums.isolate()).to(collected);
        settings = room == 0 ? settings : settings.withSteps(0, room, 4);

        run();

        assertThat(collected.records)
                .containsExactlyElementsOf(LongStream.range(0, RECORDS)
                        .mapToObj(n -> new Keyed<>(n % KEYS, sumUpTo(n)))
                        .toList());
    }

    /** Of all numbers up to this one with its key. */
    private static long sumUpTo(long number) {
        long before = number / KEYS;
        return (before + 1) * (number % KEYS) + KEYS * before * (before + 1) / 2;
    }

    @Test
    void shouldSayWhereABadRecordIs() throws Exception {
        sums(1_777, new BadRecordException("bad", "")).to(collected);

        run();

        assertThat(bad.stream().map(BadRecord::offset))
                .containsExactlyElementsOf(LongStream.range(KEYS + 1, RECORDS)
                        .filter(n -> n % 1_777 == 0)
                        .boxed()
                        .toList());
        assertThat(collected.records).hasSize(RECORDS - bad.size());
    }

    /** Its own look-ups wait, too: the whole input is one window. */
    @Test
    void shouldAddToTheWholeInputAllButBadRecords() throws Exception {
        var sums = new Collected<WindowResult<Long, Long>>(new ArrayList<>());
        topology.from(Sources.generate(RECORDS, n -> n))
                .keyBy(n -> n % KEYS)
                .window(Windows.whole())
                .aggregate(Aggregates.sum(n -> {
                    if (n % 1_777 == 0) {
                        throw new BadRecordException("bad", "");
                    }
                    return n;
                }))
                .to(sums);

        run();

        List<Long> wrong =
                LongStream.range(0, RECORDS).filter(n -> n % 1_777 == 0).boxed().toList();
        assertThat(bad.stream().map(BadRecord::offset)).containsExactlyElementsOf(wrong);
        assertThat(sums.records.stream().map(sum -> new Keyed<>(sum.key(), sum.value())))
                .containsExactlyInAnyOrderElementsOf(LongStream.range(0, KEYS)
                        .mapToObj(n -> new Keyed<>(
                                n,
                                LongStream.iterate(n, each -> each < RECORDS, each -> each + KEYS)
                                        .filter(each -> !wrong.contains(each))
                                        .sum()))
                        .toList());
    }

    @Test
    void shouldSayAtWhichRecordTheJobFailed() {
        sums(KEYS + 777, new IllegalStateException("failed")).to(collected);

        assertThatThrownBy(this::run)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("operator 'sums'")
                .hasMessageContaining("split '0', offset 10777: ");
    }
}
