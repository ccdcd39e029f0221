// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import io.thalweg.lab.driver.Load;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/** sources → sums of measures grouped by dimensions → sinks. */
final class GroupByJob {
    private static final TypeInformation<IntsKey> KEY = TypeInformation.of(IntsKey.class);
    private static final TypeInformation<long[]> LONGS = PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO;

    /** Key, start of the window, count and sums. */
    private static final TypeInformation<Tuple3<IntsKey, Long, long[]>> ROW = Types.TUPLE(KEY, Types.LONG, LONGS);

    private GroupByJob() {}

    static void describe(StreamExecutionEnvironment environment, Layout layout) {
        Cell cell = layout.cell();
        GroupBy data = new GroupBy(cell);
        DataStream<Tuple3<Long, int[], long[]>> facts = layout.load(
                environment,
                Types.TUPLE(Types.LONG, PrimitiveArrayTypeInfo.INT_PRIMITIVE_ARRAY_TYPE_INFO, LONGS),
                load -> fact(data, load),
                WatermarkStrategy.<Tuple3<Long, int[], long[]>>forMonotonousTimestamps()
                        .withTimestampAssigner((fact, none) -> fact.f0));
        DataStream<Tuple3<IntsKey, Long, long[]>> rows = layout.stage(
                layout.keyed(facts, cell.sources(), fact -> new IntsKey(fact.f1), KEY)
                        .window(TumblingEventTimeWindows.of(Duration.ofMillis(GroupBy.WINDOW_MS)))
                        .aggregate(
                                new Sums(cell.measures()),
                                (key, window, sums, out) ->
                                        sums.forEach(sum -> out.collect(Tuple3.of(key, window.getStart(), sum))),
                                LONGS,
                                ROW)
                        .name("sums"),
                cell.sinks());
        layout.sink(layout.distributed(rows), (row, meter) -> {
            meter.receivedRow(row.f2[0], row.f2[1]);
            meter.group(row.f1, row.f0.values(), row.f2);
        });
    }

    private static Tuple3<Long, int[], long[]> fact(GroupBy data, Load load) {
        long n = load.take();
        return Tuple3.of(data.timeMs(n), data.dimensions(n), data.measures(n));
    }

    /** Count, then the sum of each measure. */
    private record Sums(int measures) implements AggregateFunction<Tuple3<Long, int[], long[]>, long[], long[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public long[] createAccumulator() {
            return new long[1 + measures];
        }

        @Override
        public long[] add(Tuple3<Long, int[], long[]> fact, long[] sums) {
            sums[0]++;
            long[] added = fact.f2;
            for (int i = 0; i < added.length; i++) {
                sums[1 + i] += added[i];
            }
            return sums;
        }

        @Override
        public long[] getResult(long[] sums) {
            return sums;
        }

        @Override
        public long[] merge(long[] sums, long[] others) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += others[i];
            }
            return sums;
        }
    }
}
