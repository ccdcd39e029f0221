// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/** The blind half of Flink's jobs: written by someone who had not read the doctor's rules, before any of them was run. */
final class BlindJobs {
    private static final int PACE = 1_000;

    private BlindJobs() {}

    static List<NativeJob> all() {
        return List.of(
                new NativeJob("blind-idle-meter", List.of("idle-split"), BlindJobs::idleMeter),
                new NativeJob("blind-hasty-checkpoints", List.of("checkpoints"), BlindJobs::hastyCheckpoints),
                new NativeJob("blind-generic-field", List.of("generic-serialization"), BlindJobs::genericField),
                new NativeJob("blind-batching-sink", List.of("slow-sink"), BlindJobs::batchingSink),
                new NativeJob("blind-few-slots", List.of("not-running"), BlindJobs::fewSlots),
                new NativeJob("blind-healthy-totals", List.of(), BlindJobs::healthyTotals));
    }

    /** Numbers that are the milliseconds of their event times, too. */
    private static DataStream<Long> readings(
            StreamExecutionEnvironment flink, String name, double perSecond, WatermarkStrategy<Long> times) {
        return flink.fromSource(
                        new DataGeneratorSource<>(
                                index -> index, Long.MAX_VALUE, RateLimiterStrategy.perSecond(perSecond), Types.LONG),
                        times.withTimestampAssigner((number, before) -> number),
                        name)
                .setParallelism(1);
    }

    private static WatermarkStrategy<Long> ordered() {
        return WatermarkStrategy.forBoundedOutOfOrderness(Duration.ofMillis(50));
    }

    /** The meters that are read by hand have sent one reading, and send no other for an hour: no window ends. */
    private static void idleMeter(StreamExecutionEnvironment flink) {
        readings(flink, "meters", 2 * PACE, ordered())
                .union(readings(flink, "by-hand", 1.0 / 3_600, ordered()))
                .keyBy(number -> number % 50)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                .reduce(Long::sum)
                .name("per-meter")
                .sinkTo(new DiscardingSink<>())
                .name("readings");
    }

    /** All of a large state is saved fifty times a second. */
    private static void hastyCheckpoints(StreamExecutionEnvironment flink) {
        Configuration options = new Configuration();
        options.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                Path.of("target", "blind-checkpoints").toUri().toString());
        flink.configure(options);
        flink.enableCheckpointing(20);
        flink.fromSource(
                        new DataGeneratorSource<>(index -> index, Long.MAX_VALUE, Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "clicks")
                .setParallelism(1)
                .keyBy(number -> number % 400_000)
                .map(new Counts())
                .name("counts")
                .sinkTo(new DiscardingSink<>())
                .name("pages");
    }

    /** The parcels are POJOs, but one of their fields is of a class that Flink does not know. */
    private static void genericField(StreamExecutionEnvironment flink) {
        flink.fromSource(
                        new DataGeneratorSource<>(Parcel::new, Long.MAX_VALUE, Types.POJO(Parcel.class)),
                        WatermarkStrategy.noWatermarks(),
                        "parcels")
                .keyBy(parcel -> parcel.depot)
                .map(parcel -> parcel.weight + parcel.stops.cardinality())
                .returns(Types.LONG)
                .name("weights")
                .sinkTo(new DiscardingSink<>())
                .name("depots");
    }

    /** It keeps a batch until it is full and then waits for what stores it; all is one chain. */
    private static void batchingSink(StreamExecutionEnvironment flink) {
        flink.fromSource(
                        new DataGeneratorSource<>(index -> index, Long.MAX_VALUE, Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "orders")
                .map(number -> number * 119 / 100)
                .returns(Types.LONG)
                .name("tax")
                .sinkTo(new BatchingSink())
                .name("warehouse");
    }

    /** It asks for more slots than the cluster has. */
    private static void fewSlots(StreamExecutionEnvironment flink) {
        readings(flink, "calls", PACE, ordered())
                .rebalance()
                .map(number -> number + 1)
                .returns(Types.LONG)
                .name("rate")
                .setParallelism(12)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(12)
                .name("bills");
    }

    /** The same as the idle meter, but Flink is told that one may be idle. */
    private static void healthyTotals(StreamExecutionEnvironment flink) {
        flink.getConfig().enableObjectReuse();
        flink.enableCheckpointing(2_000);
        readings(flink, "tills", 2 * PACE, ordered())
                .union(readings(flink, "kiosk", 1.0 / 3_600, ordered().withIdleness(Duration.ofMillis(500))))
                .keyBy(number -> number % 50)
                .window(TumblingEventTimeWindows.of(Duration.ofSeconds(1)))
                .reduce(Long::sum)
                .name("totals")
                .sinkTo(new DiscardingSink<>())
                .name("report");
    }

    /** What is sent by car, with the stops on its way. */
    public static final class Parcel {
        public long number;
        public int depot;
        public long weight;
        public BitSet stops = new BitSet();

        public Parcel() {}

        Parcel(long number) {
            this.number = number;
            depot = (int) (number % 64);
            weight = number % 1_000;
            stops.set((int) (number % 200));
            stops.set(250);
        }
    }

    private static final class Counts extends RichMapFunction<Long, Long> {
        private transient ValueState<Long> count;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public Long map(Long number) throws Exception {
            Long before = count.value();
            long now = before == null ? 1 : before + 1;
            count.update(now);
            return now;
        }
    }

    private static final class BatchingSink implements Sink<Long> {
        private static final int BATCH = 500;
        private static final long WAIT_NS = 100_000_000;

        @Override
        public SinkWriter<Long> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                private final long[] batch = new long[BATCH];
                private int size;

                @Override
                public void write(Long number, Context told) {
                    batch[size++] = number;
                    if (size == BATCH) {
                        flush(false);
                    }
                }

                @Override
                public void flush(boolean end) {
                    if (size > 0) {
                        LockSupport.parkNanos(WAIT_NS);
                        size = 0;
                    }
                }

                @Override
                public void close() {}
            };
        }
    }
}
