// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamSink;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.files.Json;
import io.thalweg.lab.driver.Cell;
import io.thalweg.workloads.telecom.Dimensions;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSums;
import java.time.Duration;

/** Lines of JSON → probes → sums of 20 measures by 62 dimensions → sinks. */
final class Telecom {
    private Telecom() {}

    static void define(Topology topology, Cell cell, boolean apart) {
        TelecomSize size = TelecomSize.named(cell.value("size"));
        Stream<byte[]> lines = topology.from(new LoadSource<>(cell, Type.of(byte[].class), () -> lines(size)))
                .parallelism(cell.sources())
                .eventTime(TelecomLines::timeMs, Duration.ZERO);
        Stream<Probe> probes = (cell.sources() == cell.relays() ? lines : lines.shuffle())
                .map(Json.reader(Probe.class))
                .as(Probe.class)
                .name("flatten")
                .parallelism(cell.relays());
        Stream<WindowResult<Dimensions, TelecomSums>> sums = probes.keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMillis(TelecomSize.WINDOW_MS)))
                .aggregate(TelecomSums.aggregate())
                .parallelism(cell.sinks());
        StreamSink sink = sums.to(new Counted<>(cell, (row, meter) -> {
                    long records = row.value().records();
                    meter.receivedRow(records, row.value().bytesUp() - records * TelecomLines.BYTES_UP);
                }))
                .parallelism(cell.sinks());
        if (apart) {
            probes.isolate();
            sums.isolate();
            sink.isolate();
        }
    }

    private static LoadSource.Maker<byte[]> lines(TelecomSize size) {
        TelecomLines lines = new TelecomLines(size);
        return load -> lines.line(load.take());
    }
}
