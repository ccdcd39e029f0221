// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MetersTest {
    @TempDir
    private Path folder;

    /** A driver without an engine: one thread passes every record on to the sink. */
    private record Loop(int tasks, long stallNs) implements Driver {
        @Override
        public String version() {
            return "1";
        }

        @Override
        public void run(Cell cell) {
            SinkMeter sink = Meters.of(cell).sink();
            for (int task = 0; task < tasks; task++) {
                Load load = Load.open(cell, task, tasks);
                while (!load.ended()) {
                    if (load.due()) {
                        long dueNs = load.dueNs();
                        long number = load.take();
                        if (number == 1_000) {
                            stall(stallNs);
                        }
                        sink.received(number, dueNs);
                    }
                }
            }
        }

        private static void stall(long ns) {
            long until = System.nanoTime() + ns;
            while (System.nanoTime() - until < 0) {
                LockSupport.parkNanos(until - System.nanoTime());
            }
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @CsvSource({"1, 10000", "2, 10000", "3, 10000", "3, 10001", "7, 5"})
    void shouldKnowTheSumOfWhatTheTasksSent(int tasks, long records) throws Exception {
        CellCheck.run(new Loop(tasks, 0), folder, Map.of("records", "" + records));
    }

    @Test
    void shouldChargeAStallToEveryRecordThatWasDueMeanwhile() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "3000", "rate", "10000"));
        new Loop(1, TimeUnit.MILLISECONDS.toNanos(200)).run(cell);
        Meters.closeAll();

        Histogram latencies = latencies(cell);
        assertThat(latencies.getTotalCount()).isEqualTo(3000);
        assertThat(latencies.getMaxValue()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(199));
        // 2000 records came due in the 200 ms, half of them more than 100 ms before the end of the stall.
        assertThat(latencies.getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(100), Long.MAX_VALUE))
                .isGreaterThanOrEqualTo(950);
    }

    @Test
    void shouldHideTheStallInAClosedLoop() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "3000"));
        long begunNs = System.nanoTime();
        new Loop(1, TimeUnit.MILLISECONDS.toNanos(200)).run(cell);
        long tookNs = System.nanoTime() - begunNs;
        Meters.closeAll();

        // One after the other: none waits while another is late, as 2000 did above.
        long longNs = TimeUnit.MILLISECONDS.toNanos(100);
        long late = latencies(cell).getCountBetweenValues(longNs, Long.MAX_VALUE);
        assertThat(late).isPositive();
        assertThat(late * longNs).as("all the late ones together").isLessThanOrEqualTo(tookNs);
    }

    @Test
    void shouldEndTheSourcesWhenToldTo() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of());
        cell.folder().stop();
        new Loop(1, 0).run(cell);
        Meters.closeAll();

        Sample total = cell.folder().totals();
        assertThat(total.received()).isEqualTo(total.sent());
    }

    @Test
    void shouldSayThatRecordsWereLost() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "10"));
        Load load = Load.open(cell, 0, 1);
        while (!load.ended()) {
            load.take();
        }
        assertThatThrownBy(() -> cell.folder().awaitDrained(10, Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .hasMessage("of 10 records sent only 0 came out in 1 s");
        Meters.closeAll();
    }

    @Test
    void shouldWriteTheLastFiguresWhenTheLastTaskOfAWorkerIsDone() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "5"));
        SinkMeter sink = Meters.of(cell).sink();
        try (Load load = Load.open(cell, 0, 2)) {
            while (!load.ended()) {
                sink.received(load.take());
            }
        }
        sink.close();
        assertThat(cell.folder().totals().received()).isEqualTo(3);

        SinkMeter late = Meters.of(cell).sink();
        late.received(1);
        late.close();
        assertThat(cell.folder().totals().received()).isEqualTo(4);
    }

    @Test
    void shouldHandOverEachRecordThatIsPushed_andWakeWhoWaits() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "50", "rate", "10000", "pushed", "true"));
        Semaphore woken = new Semaphore(0);
        long sum = 0;
        try (Load load = Load.open(cell, 0, 1, woken::release)) {
            long firstNs = load.dueNs();
            while (!load.ended()) {
                woken.acquire();
                while (!load.ended() && load.due()) {
                    assertThat(System.nanoTime()).isGreaterThanOrEqualTo(load.dueNs());
                    assertThat(load.dueNs()).isEqualTo(firstNs + load.sent() * 100_000);
                    sum += load.take();
                }
            }
        }
        Meters.closeAll();
        assertThat(sum).isEqualTo(49 * 50 / 2);
    }

    /** A source may be done before a sink has begun. */
    @Test
    void shouldCountWhatATaskCounts_thatHadItsMetersBeforeTheyWereClosed() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "1"));
        Meters early = Meters.of(cell);
        ReadMeter source = early.reader();
        source.read(0);
        source.close();

        SinkMeter sink = early.sink();
        sink.received(0);
        sink.close();

        Sample total = cell.folder().totals();
        assertThat(total.sent()).isEqualTo(1);
        assertThat(total.received()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatFailedAtTheSources() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("records", "5"));
        Load load = Load.open(cell, 0, 1);
        load.take();
        load.failed();
        load.failed();
        load.close();

        assertThat(cell.folder().failed()).isEqualTo(2);
    }

    /** As on a full disk: otherwise the figures would be of a part of the run. */
    @Test
    void shouldSayThatTheyCouldNotBeWritten_andEndTheSources() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of());
        Load load = Load.open(cell, 0, 1);
        String facts = cell.folder().files(RunFolder.JVM).get(0).toString();
        Files.createDirectories(Path.of(facts.replace(RunFolder.JVM, RunFolder.FAILED), "in the way"));
        load.failed();
        while (!load.ended()) {
            load.take();
        }

        assertThatThrownBy(Meters::closeAll)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("its meters could not be written: ");
        assertThat(cell.folder().isBroken()).isTrue();
        Meters.closeAll(); // they are closed
    }

    @Test
    void shouldReadOnlyWholeSamples() {
        Sample sample = new Sample(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        assertThat(Sample.isWhole(sample.line())).isTrue();
        assertThat(Sample.isWhole(sample.line().substring(0, 8))).isFalse();
        assertThat(Sample.parse(sample.line())).isEqualTo(sample);
    }

    @Test
    void shouldCarryACellToAnotherProcess() throws Exception {
        Cell cell = CellCheck.write(
                folder, Map.of("workload", "group-by", "guarantee", "at-least-once", "payload", "1_000"));
        Cell read = Cell.in(cell.folder().path());
        assertThat(read.workload()).isEqualTo(Cell.Workload.GROUP_BY);
        assertThat(read.guarantee()).isEqualTo(Cell.Guarantee.AT_LEAST_ONCE);
        assertThat(read.payload()).isEqualTo(1000);
        assertThatThrownBy(() -> Cell.of(Map.of("guarantee", "perhaps"), folder).guarantee())
                .hasMessage("guarantee cannot be perhaps, but none, acked, at-least-once, exactly-once");
    }

    private static Histogram latencies(Cell cell) throws Exception {
        Histogram all = new Histogram(3);
        for (Path file : cell.folder().files(RunFolder.LATENCIES)) {
            try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
                EncodableHistogram interval;
                while ((interval = reader.nextIntervalHistogram()) != null) {
                    all.add((AbstractHistogram) interval);
                }
            }
        }
        return all;
    }
}
