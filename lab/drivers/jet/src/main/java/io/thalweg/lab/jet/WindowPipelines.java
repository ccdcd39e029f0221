// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.core.ProcessorMetaSupplier;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.jet.pipeline.Pipeline;
import com.hazelcast.jet.pipeline.Sinks;
import com.hazelcast.jet.pipeline.Sources;
import com.hazelcast.jet.pipeline.StreamSource;
import com.hazelcast.jet.pipeline.StreamStage;
import com.hazelcast.jet.pipeline.StreamStageWithKey;
import com.hazelcast.jet.pipeline.WindowDefinition;
import io.thalweg.lab.driver.Bid;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.SinkMeter;

/** sources → windows, sessions or running aggregates of the records of each key → sinks, by the Pipeline API. */
final class WindowPipelines {
    private WindowPipelines() {}

    static Pipeline of(Cell cell) {
        Pipeline pipeline = Pipeline.create();
        StreamStageWithKey<Bid, Long> bids = bids(cell, pipeline);
        switch (cell.operation()) {
            case TUMBLING -> windows(bids, cell, WindowDefinition.tumbling(cell.sizeMs()));
            case SLIDING -> sliding(bids, cell);
            case SESSION -> windows(bids, cell, WindowDefinition.session(cell.gapMs()));
            case RUNNING ->
                count(bids.rollingAggregate(figures()), cell, (row, meter) -> {
                    long[] figures = row.getValue();
                    meter.received(figures[2]);
                    meter.running(figures[0], figures[1], figures[2]);
                });
            case JOIN -> throw new IllegalArgumentException("no operation of Jet: " + cell.operation());
        }
        return pipeline;
    }

    private static StreamStageWithKey<Bid, Long> bids(Cell cell, Pipeline pipeline) {
        Bid.Maker maker = new Bid.Maker(cell);
        RelayWork.Maker<Bid> next = load -> maker.make(load.take());
        StreamSource<Bid> source = Sources.streamFromProcessorWithWatermarks(
                "load",
                false,
                policy -> ProcessorMetaSupplier.of(cell.sources(), () -> LoadP.timed(cell, next, policy)));
        return pipeline.readFrom(source).withTimestamps(Bid::timeMs, 0).groupingKey(Bid::key);
    }

    private static void windows(StreamStageWithKey<Bid, Long> bids, Cell cell, WindowDefinition window) {
        count(aggregated(bids, cell, window), cell, (row, meter) -> {
            meter.receivedRow(row.result()[0], row.result()[1]);
            show(row, meter);
        });
    }

    private static void show(KeyedWindowResult<Long, long[]> row, SinkMeter meter) {
        long[] figures = row.result();
        meter.window(row.start(), row.key(), figures[0], figures[1], figures[2]);
    }

    private static void sliding(StreamStageWithKey<Bid, Long> bids, Cell cell) {
        long size = cell.sizeMs();
        long step = cell.stepMs();
        count(aggregated(bids, cell, WindowDefinition.sliding(size, step)), cell, (row, meter) -> {
            if (Bid.isCounted(row.key(), row.start(), size, step)) {
                meter.receivedRow(row.result()[0], row.result()[1]);
            }
            show(row, meter);
        });
    }

    private static StreamStage<KeyedWindowResult<Long, long[]>> aggregated(
            StreamStageWithKey<Bid, Long> bids, Cell cell, WindowDefinition window) {
        return bids.window(window).aggregate(figures()).setLocalParallelism(cell.sinks());
    }

    private static <T> void count(StreamStage<T> rows, Cell cell, RelayWork.Counter<? super T> counter) {
        rows.writeTo(Sinks.fromProcessor(
                "count", ProcessorMetaSupplier.of(cell.sinks(), () -> new MeterP<>(cell, counter))));
    }

    /** Count, sum and greatest of the numbers; the greatest cannot be deducted again, so nothing is. */
    private static AggregateOperation1<Bid, long[], long[]> figures() {
        return AggregateOperation.withCreate(() -> new long[] {0, 0, Long.MIN_VALUE})
                .<Bid>andAccumulate((figures, bid) -> {
                    figures[0]++;
                    figures[1] += bid.number();
                    figures[2] = Math.max(figures[2], bid.number());
                })
                .andCombine((figures, others) -> {
                    figures[0] += others[0];
                    figures[1] += others[1];
                    figures[2] = Math.max(figures[2], others[2]);
                })
                .andExport(long[]::clone)
                .andFinish(figures -> figures);
    }
}
