// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Bid;
import io.thalweg.lab.driver.Cell;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.co.ProcessJoinFunction;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.SlidingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.assigners.WindowAssigner;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** sources → windows, sessions, running aggregates or a join of the records of each key → sinks, by the DataStream API. */
final class WindowsJob {
    /** Time, key and number. */
    private static final TypeInformation<Tuple3<Long, Long, Long>> BID =
            Types.TUPLE(Types.LONG, Types.LONG, Types.LONG);

    private static final TypeInformation<long[]> FIGURES = PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO;

    /** Key, start of the window, count, sum and greatest. */
    private static final TypeInformation<Tuple5<Long, Long, Long, Long, Long>> ROW =
            Types.TUPLE(Types.LONG, Types.LONG, Types.LONG, Types.LONG, Types.LONG);

    private WindowsJob() {}

    static void describe(StreamExecutionEnvironment environment, Layout layout) {
        Cell cell = layout.cell();
        Bid.Maker maker = new Bid.Maker(cell);
        DataStream<Tuple3<Long, Long, Long>> bids = layout.load(
                environment,
                BID,
                load -> tuple(maker.make(load.take())),
                WatermarkStrategy.<Tuple3<Long, Long, Long>>forMonotonousTimestamps()
                        .withTimestampAssigner((bid, none) -> bid.f0));
        switch (cell.operation()) {
            case TUMBLING -> windows(layout, bids, TumblingEventTimeWindows.of(Duration.ofMillis(cell.sizeMs())));
            case SLIDING -> sliding(layout, bids);
            case SESSION -> windows(layout, bids, EventTimeSessionWindows.withGap(Duration.ofMillis(cell.gapMs())));
            case RUNNING -> running(layout, bids);
            case JOIN -> join(layout, bids, maker);
        }
    }

    private static Tuple3<Long, Long, Long> tuple(Bid bid) {
        return Tuple3.of(bid.timeMs(), bid.key(), bid.number());
    }

    private static KeyedStream<Tuple3<Long, Long, Long>, Long> keyed(
            Layout layout, DataStream<Tuple3<Long, Long, Long>> bids) {
        return layout.keyed(bids, layout.cell().sources(), bid -> bid.f1, Types.LONG);
    }

    private static DataStream<Tuple5<Long, Long, Long, Long, Long>> aggregated(
            Layout layout, DataStream<Tuple3<Long, Long, Long>> bids, WindowAssigner<Object, TimeWindow> windows) {
        SingleOutputStreamOperator<Tuple5<Long, Long, Long, Long, Long>> rows = keyed(layout, bids)
                .window(windows)
                .aggregate(
                        new Figures(),
                        (key, window, all, out) -> all.forEach(
                                each -> out.collect(Tuple5.of(key, window.getStart(), each[0], each[1], each[2]))),
                        FIGURES,
                        ROW);
        return layout.stage(rows.name("windows"), layout.cell().sinks());
    }

    private static void windows(
            Layout layout, DataStream<Tuple3<Long, Long, Long>> bids, WindowAssigner<Object, TimeWindow> windows) {
        layout.sink(layout.distributed(aggregated(layout, bids, windows)), (row, meter) -> {
            meter.receivedRow(row.f2, row.f3);
            meter.window(row.f1, row.f0, row.f2, row.f3, row.f4);
        });
    }

    private static void sliding(Layout layout, DataStream<Tuple3<Long, Long, Long>> bids) {
        long size = layout.cell().sizeMs();
        long step = layout.cell().stepMs();
        WindowAssigner<Object, TimeWindow> windows =
                SlidingEventTimeWindows.of(Duration.ofMillis(size), Duration.ofMillis(step));
        layout.sink(layout.distributed(aggregated(layout, bids, windows)), (row, meter) -> {
            if (Bid.isCounted(row.f0, row.f1, size, step)) {
                meter.receivedRow(row.f2, row.f3);
            }
            meter.window(row.f1, row.f0, row.f2, row.f3, row.f4);
        });
    }

    private static void running(Layout layout, DataStream<Tuple3<Long, Long, Long>> bids) {
        DataStream<long[]> rows = layout.stage(
                keyed(layout, bids).process(new Running(), FIGURES).name("running"),
                layout.cell().sinks());
        layout.sink(layout.distributed(rows), (row, meter) -> {
            meter.received(row[2]);
            meter.running(row[0], row[1], row[2]);
        });
    }

    private static void join(Layout layout, DataStream<Tuple3<Long, Long, Long>> bids, Bid.Maker maker) {
        DataStream<Tuple3<Long, Long, Long>> earlier = layout.source(bids.<Tuple3<Long, Long, Long>>flatMap(
                        (bid, out) -> maker.partners(new Bid(bid.f0, bid.f1, bid.f2))
                                .forEach(each -> out.collect(tuple(each))),
                        BID)
                .name("earlier"));
        DataStream<Long> pairs = layout.stage(
                keyed(layout, earlier)
                        .intervalJoin(keyed(layout, bids))
                        .between(Duration.ZERO, Duration.ofMillis(Bid.JOIN_MS))
                        .process(new Second(), Types.LONG)
                        .name("join"),
                layout.cell().sinks());
        layout.sink(layout.distributed(pairs), (number, meter) -> meter.received(number));
    }

    /** Count, sum and greatest of the numbers. */
    private static final class Figures implements AggregateFunction<Tuple3<Long, Long, Long>, long[], long[]> {
        private static final long serialVersionUID = 1L;

        static long[] empty() {
            return new long[] {0, 0, Long.MIN_VALUE};
        }

        static void addTo(long[] figures, long number) {
            figures[0]++;
            figures[1] += number;
            figures[2] = Math.max(figures[2], number);
        }

        @Override
        public long[] createAccumulator() {
            return empty();
        }

        @Override
        public long[] add(Tuple3<Long, Long, Long> bid, long[] figures) {
            addTo(figures, bid.f2);
            return figures;
        }

        @Override
        public long[] getResult(long[] figures) {
            return figures;
        }

        @Override
        public long[] merge(long[] figures, long[] others) {
            figures[0] += others[0];
            figures[1] += others[1];
            figures[2] = Math.max(figures[2], others[2]);
            return figures;
        }
    }

    private static final class Running extends KeyedProcessFunction<Long, Tuple3<Long, Long, Long>, long[]> {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("NullAway.Init") // open is called first
        private transient ValueState<long[]> state;

        @Override
        public void open(OpenContext context) {
            state = getRuntimeContext().getState(new ValueStateDescriptor<>("figures", FIGURES));
        }

        @Override
        public void processElement(
                Tuple3<Long, Long, Long> bid,
                KeyedProcessFunction<Long, Tuple3<Long, Long, Long>, long[]>.Context context,
                Collector<long[]> out)
                throws Exception {
            long[] figures = state.value();
            if (figures == null) {
                figures = Figures.empty();
            }
            Figures.addTo(figures, bid.f2);
            state.update(figures);
            out.collect(figures.clone());
        }
    }

    private static final class Second
            extends ProcessJoinFunction<Tuple3<Long, Long, Long>, Tuple3<Long, Long, Long>, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                Tuple3<Long, Long, Long> first,
                Tuple3<Long, Long, Long> second,
                ProcessJoinFunction<Tuple3<Long, Long, Long>, Tuple3<Long, Long, Long>, Long>.Context context,
                Collector<Long> out) {
            out.collect(second.f2);
        }
    }
}
