// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamSink;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Json;
import io.thalweg.lab.driver.Cell;
import io.thalweg.workloads.telecom.FlatProbe;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.time.Duration;

/** Lines of JSON → probes → sums of 20 measures by 62 dimensions → sinks. */
final class Telecom {
    private Telecom() {}

    static void define(Topology topology, Cell cell, boolean apart) {
        Stream<byte[]> lines = lines(topology, cell).eventTime(TelecomLines::timeMs, Duration.ZERO);
        if (cell.readsAlike()) {
            Stream<FlatProbe> probes = stage(lines, cell, FlatProbe::of, TextsCodec.PROBE);
            sums(
                    probes,
                    probes.keyBy(TextsCodec::key, TextsCodec.KEY)
                            .window(Windows.tumbling(Duration.ofMillis(TelecomSize.WINDOW_MS)))
                            .aggregate(new TextSums()),
                    cell,
                    apart,
                    (row, meter) -> {
                        TextSums.Sums sums = row.value();
                        long records = sums.whole()[FlatProbe.RECORDS];
                        long numbers = FlatProbe.numbers(sums.whole());
                        meter.receivedRow(records, numbers);
                        if (meter.checks()) {
                            meter.measures(records, numbers, FlatProbe.units(sums.whole(), sums.fractions()));
                        }
                    });
            return;
        }
        Stream<Probe> probes = stage(lines, cell, Json.reader(Probe.class), Type.of(Probe.class));
        sums(
                probes,
                probes.keyBy(Probe::dimensions)
                        .window(Windows.tumbling(Duration.ofMillis(TelecomSize.WINDOW_MS)))
                        .aggregate(TelecomSums.aggregate()),
                cell,
                apart,
                (row, meter) -> {
                    long records = row.value().records();
                    long numbers = row.value().bytesUp() - records * TelecomLines.BYTES_UP;
                    meter.receivedRow(records, numbers);
                    if (meter.checks()) {
                        meter.measures(records, numbers, row.value().units());
                    }
                });
    }

    /** The flattener alone. */
    static void flatten(Topology topology, Cell cell, boolean apart) {
        Stream<byte[]> lines = lines(topology, cell);
        if (cell.readsAlike()) {
            count(
                    stage(lines, cell, FlatProbe::of, TextsCodec.PROBE),
                    cell,
                    apart,
                    (probe, meter) -> meter.received(probe.number()));
        } else {
            count(
                    stage(lines, cell, Json.reader(Probe.class), Type.of(Probe.class)),
                    cell,
                    apart,
                    (probe, meter) -> meter.received(probe.measures().bytesUp() - TelecomLines.BYTES_UP));
        }
    }

    private static Stream<byte[]> lines(Topology topology, Cell cell) {
        TelecomSize size = TelecomSize.named(cell.value("size"));
        return topology.from(new LoadSource<>(cell, Type.of(byte[].class), () -> lines(size)))
                .parallelism(cell.sources());
    }

    private static <T> Stream<T> stage(Stream<byte[]> lines, Cell cell, MapFunction<byte[], T> reader, Type<T> type) {
        return (cell.sources() == cell.relays() ? lines : lines.shuffle())
                .map(reader)
                .as(type)
                .name("flatten")
                .parallelism(cell.relays());
    }

    private static <T> void sums(
            Stream<?> probes, Stream<T> sums, Cell cell, boolean apart, Counted.Counter<T> counter) {
        sums.parallelism(cell.sinks());
        if (apart) {
            probes.isolate();
        }
        count(sums, cell, apart, counter);
    }

    private static <T> void count(Stream<T> stream, Cell cell, boolean apart, Counted.Counter<T> counter) {
        boolean round = cell.workload() == Cell.Workload.FLATTEN && cell.relays() != cell.sinks();
        StreamSink sink = (round ? stream.shuffle() : stream)
                .to(new Counted<>(cell, counter))
                .parallelism(cell.sinks());
        if (apart) {
            stream.isolate();
            sink.isolate();
        }
    }

    private static LoadSource.Maker<byte[]> lines(TelecomSize size) {
        TelecomLines lines = new TelecomLines(size);
        return load -> lines.line(load.take());
    }
}
