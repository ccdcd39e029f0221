// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.KeyedStream;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import io.thalweg.api.window.Windows;
import io.thalweg.lab.driver.Bid;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.SinkMeter;
import java.time.Duration;

/** sources → windows, sessions, running aggregates or a join of the records of each key → sinks. */
final class Windowed {
    private Windowed() {}

    static void define(Topology topology, Cell cell) {
        Bid.Maker maker = new Bid.Maker(cell);
        Stream<Bid> bids = topology.from(
                        new LoadSource<>(cell, Type.of(Bid.class), () -> load -> maker.make(load.take())))
                .parallelism(cell.sources())
                .eventTime(Bid::timeMs, Duration.ZERO);
        switch (cell.operation()) {
            case TUMBLING -> windows(bids, cell, Windows.tumbling(Duration.ofMillis(cell.sizeMs())));
            case SLIDING -> sliding(bids, cell);
            case SESSION -> windows(bids, cell, Windows.session(Duration.ofMillis(cell.gapMs())));
            case RUNNING -> running(bids, cell);
            case JOIN -> join(bids, maker, cell);
        }
    }

    record Figures(long count, long sum, long max) {}

    private static Aggregate<Bid, ?, Figures> figures() {
        return Aggregates.into(
                Figures.class, Aggregates.count(), Aggregates.sum(Bid::number), Aggregates.max(Bid::number));
    }

    private static Stream<WindowResult<Long, Figures>> aggregated(Stream<Bid> bids, Cell cell, WindowSpec window) {
        return bids.keyBy(Bid::key).window(window).aggregate(figures()).parallelism(cell.sinks());
    }

    private static void windows(Stream<Bid> bids, Cell cell, WindowSpec window) {
        aggregated(bids, cell, window)
                .to(new Counted<>(cell, (row, meter) -> {
                    meter.receivedRow(row.value().count(), row.value().sum());
                    show(row, meter);
                }))
                .parallelism(cell.sinks());
    }

    private static void show(WindowResult<Long, Figures> row, SinkMeter meter) {
        Figures figures = row.value();
        meter.window(row.start(), row.key(), figures.count(), figures.sum(), figures.max());
    }

    private static void sliding(Stream<Bid> bids, Cell cell) {
        long size = cell.sizeMs();
        long step = cell.stepMs();
        aggregated(bids, cell, Windows.sliding(Duration.ofMillis(size), Duration.ofMillis(step)))
                .to(new Counted<>(cell, (row, meter) -> {
                    if (Bid.isCounted(row.key(), row.start(), size, step)) {
                        meter.receivedRow(row.value().count(), row.value().sum());
                    }
                    show(row, meter);
                }))
                .parallelism(cell.sinks());
    }

    private static void running(Stream<Bid> bids, Cell cell) {
        KeyedStream<Long, Bid> keyed = bids.keyBy(Bid::key);
        keyed.aggregate(figures())
                .parallelism(cell.sinks())
                .to(new Counted<>(cell, (row, meter) -> {
                    Figures figures = row.value();
                    meter.received(figures.max());
                    meter.running(figures.count(), figures.sum(), figures.max());
                }))
                .parallelism(cell.sinks());
    }

    private static void join(Stream<Bid> bids, Bid.Maker maker, Cell cell) {
        Stream<Bid> earlier = bids.flatMap(maker::partners);
        earlier.join(bids)
                .where(Bid::key)
                .equalTo(Bid::key)
                .between(Duration.ZERO, Duration.ofMillis(Bid.JOIN_MS))
                .inner((first, second) -> second)
                .parallelism(cell.sinks())
                .to(new Counted<>(cell, (bid, meter) -> meter.received(bid.number())))
                .parallelism(cell.sinks());
    }
}
