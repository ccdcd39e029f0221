// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.workloads.telecom.FlatKey;
import io.thalweg.workloads.telecom.FlatProbe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.jspecify.annotations.Nullable;

/** Lines of JSON → flat records → sums of 20 measures by 62 dimensions → sinks. */
final class TelecomJob {
    private static final TypeInformation<TextsKey> KEY = TypeInformation.of(TextsKey.class);
    private static final TypeInformation<Tuple2<long[], double[]>> SUMS = Types.TUPLE(
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO,
            PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO);
    private static final TypeInformation<Tuple2<TextsKey, Tuple2<long[], double[]>>> ROW = Types.TUPLE(KEY, SUMS);

    private TelecomJob() {}

    static void describe(StreamExecutionEnvironment environment, Layout layout) {
        Cell cell = layout.cell();
        DataStream<byte[]> lines = layout.load(
                environment,
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                new Lines(TelecomSize.named(cell.value("size"))),
                WatermarkStrategy.<byte[]>forMonotonousTimestamps()
                        .withTimestampAssigner((line, none) -> TelecomLines.timeMs(line)));
        DataStream<Tuple3<String[], long[], double[]>> flat = flat(layout, lines);
        boolean few = !cell.readsAlike();
        DataStream<Tuple2<TextsKey, Tuple2<long[], double[]>>> rows = layout.stage(
                layout.keyed(flat, cell.relays(), record -> key(record.f0, few), KEY)
                        .window(TumblingEventTimeWindows.of(Duration.ofMillis(TelecomSize.WINDOW_MS)))
                        .aggregate(
                                new Sums(),
                                (key, window, sums, out) -> sums.forEach(sum -> out.collect(Tuple2.of(key, sum))),
                                SUMS,
                                ROW)
                        .name("sums"),
                cell.sinks());
        layout.sink(layout.distributed(rows), (row, meter) -> {
            long records = row.f1.f0[FlatProbe.RECORDS];
            long numbers = FlatProbe.numbers(row.f1.f0);
            meter.receivedRow(records, numbers);
            if (meter.checks()) {
                meter.measures(records, numbers, FlatProbe.units(row.f1.f0, row.f1.f1));
            }
        });
    }

    /** The flattener alone. */
    static void describeFlattener(StreamExecutionEnvironment environment, Layout layout) {
        environment.getConfig().setAutoWatermarkInterval(0);
        DataStream<byte[]> lines = layout.load(
                environment,
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                new Lines(TelecomSize.named(layout.cell().value("size"))),
                WatermarkStrategy.noWatermarks());
        layout.sink(
                layout.distributed(flat(layout, lines)),
                (record, meter) -> meter.received(new FlatProbe(record.f0, record.f1, record.f2).number()));
    }

    private static DataStream<Tuple3<String[], long[], double[]>> flat(Layout layout, DataStream<byte[]> lines) {
        return layout.stage(
                layout.distributed(lines)
                        .map(new Flattener())
                        .returns(Flattener.TYPE)
                        .name("flatten"),
                layout.cell().relays());
    }

    private static TextsKey key(String[] dimensions, boolean few) {
        return new TextsKey(dimensions, few ? FlatKey.hashOfFew(dimensions) : FlatKey.hashOfAll(dimensions));
    }

    /** Each reader makes a pool of its own. */
    private static final class Lines implements LoadSource.Maker<byte[]> {
        private static final long serialVersionUID = 1L;

        private final TelecomSize size;
        private transient @Nullable TelecomLines lines;

        Lines(TelecomSize size) {
            this.size = size;
        }

        @Override
        public void open() {
            lines = new TelecomLines(size);
        }

        @Override
        public byte[] next(Load load) {
            if (lines == null) {
                throw new IllegalStateException("not open");
            }
            return lines.line(load.take());
        }
    }

    private static final class Sums
            implements AggregateFunction<
                    Tuple3<String[], long[], double[]>, Tuple2<long[], double[]>, Tuple2<long[], double[]>> {
        private static final long serialVersionUID = 1L;

        @Override
        public Tuple2<long[], double[]> createAccumulator() {
            return Tuple2.of(new long[FlatProbe.WHOLE], new double[FlatProbe.FRACTIONAL]);
        }

        @Override
        public Tuple2<long[], double[]> add(Tuple3<String[], long[], double[]> record, Tuple2<long[], double[]> sums) {
            return added(sums, record.f1, record.f2);
        }

        @Override
        public Tuple2<long[], double[]> getResult(Tuple2<long[], double[]> sums) {
            return sums;
        }

        @Override
        public Tuple2<long[], double[]> merge(Tuple2<long[], double[]> sums, Tuple2<long[], double[]> others) {
            return added(sums, others.f0, others.f1);
        }

        private static Tuple2<long[], double[]> added(Tuple2<long[], double[]> sums, long[] whole, double[] fractions) {
            for (int i = 0; i < whole.length; i++) {
                sums.f0[i] += whole[i];
            }
            for (int i = 0; i < fractions.length; i++) {
                sums.f1[i] += fractions[i];
            }
            return sums;
        }
    }
}
