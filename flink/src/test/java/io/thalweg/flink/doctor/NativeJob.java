// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.doctor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.windowing.assigners.TumblingProcessingTimeWindows;

/**
 * A job of Flink's own API.
 *
 * @param name also its name in Flink
 * @param faults rules that must find something; the first finding is one of them
 * @param definition of the job, all of whose operators have two tasks unless it says otherwise
 */
record NativeJob(String name, List<String> faults, Consumer<StreamExecutionEnvironment> definition) {
    private static final int PACE = 500;

    static List<NativeJob> all() {
        return List.of(
                new NativeJob("slow-operator", List.of("parallelism"), NativeJob::slowOperator),
                new NativeJob("skewed-keys", List.of("skewed-keys"), NativeJob::skewedKeys),
                new NativeJob("slow-sink", List.of("slow-sink"), NativeJob::slowSink),
                new NativeJob("slow-task", List.of("slow-task"), NativeJob::slowTask),
                new NativeJob("restarts", List.of("restarts"), NativeJob::restarts),
                new NativeJob("failing-checkpoints", List.of("failed-checkpoints"), NativeJob::failingCheckpoints),
                new NativeJob("copied-records", List.of("object-reuse"), NativeJob::copiedRecords),
                new NativeJob("generic-records", List.of("generic-serialization"), NativeJob::genericRecords),
                new NativeJob("broken-chain", List.of("broken-chaining"), NativeJob::brokenChain),
                new NativeJob("flushed-records", List.of("buffer-timeout"), NativeJob::flushedRecords),
                new NativeJob("healthy-paced", List.of(), NativeJob::paced),
                new NativeJob("healthy-windows", List.of(), NativeJob::windows),
                new NativeJob("healthy-full", List.of(), NativeJob::full));
    }

    static NativeJob named(String name) {
        return all().stream().filter(job -> job.name.equals(name)).findFirst().orElseThrow();
    }

    JobGraph graph() {
        StreamExecutionEnvironment flink = StreamExecutionEnvironment.getExecutionEnvironment();
        flink.setParallelism(2);
        definition.accept(flink);
        StreamGraph graph = flink.getStreamGraph();
        graph.setJobName(name);
        return graph.getJobGraph();
    }

    private static DataStream<Long> endless(StreamExecutionEnvironment flink) {
        return endless(flink, 1);
    }

    private static DataStream<Long> endless(StreamExecutionEnvironment flink, int tasks) {
        return flink.fromSource(
                        new DataGeneratorSource<>(index -> index, Long.MAX_VALUE, Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .setParallelism(tasks);
    }

    private static DataStream<Long> paced(StreamExecutionEnvironment flink, int perSecond) {
        return flink.fromSource(
                        new DataGeneratorSource<>(
                                index -> index, Long.MAX_VALUE, RateLimiterStrategy.perSecond(perSecond), Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .setParallelism(1);
    }

    private static void slowOperator(StreamExecutionEnvironment flink) {
        endless(flink)
                .rebalance()
                .map(new Pause(2))
                .name("score")
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(1)
                .name("out");
    }

    private static void skewedKeys(StreamExecutionEnvironment flink) {
        endless(flink)
                .keyBy(number -> number % 10 == 0 ? number % 1_000 : 17L)
                .map(new Pause(2))
                .name("count")
                .setParallelism(4)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(4)
                .name("out");
    }

    private static void slowSink(StreamExecutionEnvironment flink) {
        endless(flink)
                .map(number -> number + 1)
                .returns(Types.LONG)
                .name("plus")
                .rebalance()
                .sinkTo(new SlowSink())
                .name("store");
    }

    private static void slowTask(StreamExecutionEnvironment flink) {
        endless(flink)
                .rebalance()
                .map(new OneIsSlow())
                .name("enrich")
                .setParallelism(4)
                .sinkTo(new DiscardingSink<>())
                .setParallelism(4)
                .name("out");
    }

    private static void restarts(StreamExecutionEnvironment flink) {
        Configuration again = new Configuration();
        again.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        again.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, Integer.MAX_VALUE);
        again.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        flink.configure(again);
        paced(flink, PACE)
                .rebalance()
                .map(new Fails())
                .name("parse")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void failingCheckpoints(StreamExecutionEnvironment flink) {
        flink.enableCheckpointing(1_500);
        flink.getCheckpointConfig().setCheckpointTimeout(200);
        flink.getCheckpointConfig().setTolerableCheckpointFailureNumber(Integer.MAX_VALUE);
        paced(flink, PACE)
                .map(new SavesSlowly())
                .name("remember")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static DataStream<Order> orders(StreamExecutionEnvironment flink) {
        return flink.fromSource(
                new DataGeneratorSource<>(Order::new, Long.MAX_VALUE, Types.POJO(Order.class)),
                WatermarkStrategy.noWatermarks(),
                "orders");
    }

    private static void copiedRecords(StreamExecutionEnvironment flink) {
        orders(flink)
                .map(order -> order.with(order.price + 1))
                .returns(Types.POJO(Order.class))
                .name("tax")
                .map(order -> order.with(order.price / 2))
                .returns(Types.POJO(Order.class))
                .name("discount")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void genericRecords(StreamExecutionEnvironment flink) {
        flink.fromSource(
                        new DataGeneratorSource<>(Event::new, Long.MAX_VALUE, Types.GENERIC(Event.class)),
                        WatermarkStrategy.noWatermarks(),
                        "events")
                .rebalance()
                .map(event -> event.number + event.name.length() + event.tags.length)
                .returns(Types.LONG)
                .name("number")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void brokenChain(StreamExecutionEnvironment flink) {
        orders(flink)
                .map(order -> order.with(order.price + 1))
                .returns(Types.POJO(Order.class))
                .name("tax")
                .disableChaining()
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void flushedRecords(StreamExecutionEnvironment flink) {
        flink.setBufferTimeout(0);
        endless(flink, 2)
                .rebalance()
                .map(number -> number + 1)
                .returns(Types.LONG)
                .name("plus")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    /** All cores are busy with what it is for. */
    private static void full(StreamExecutionEnvironment flink) {
        flink.getConfig().enableObjectReuse();
        endless(flink, 2)
                .map(number -> number + 1)
                .returns(Types.LONG)
                .name("plus")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void paced(StreamExecutionEnvironment flink) {
        flink.enableCheckpointing(1_000);
        paced(flink, PACE)
                .keyBy(number -> number % 100)
                .map(number -> 2 * number)
                .returns(Types.LONG)
                .name("double")
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    private static void windows(StreamExecutionEnvironment flink) {
        paced(flink, 4 * PACE)
                .keyBy(number -> number % 100)
                .window(TumblingProcessingTimeWindows.of(Duration.ofSeconds(1)))
                .reduce(Long::sum)
                .name("sums")
                .rebalance()
                .sinkTo(new DiscardingSink<>())
                .name("out");
    }

    /** Flink copies it field by field. */
    public static final class Order {
        public long number;
        public long price;
        public String customer = "";
        public String street = "";
        public String[] items = {};
        public long[] amounts = {};

        public Order() {}

        Order(long number) {
            this.number = number;
            price = number % 100;
            customer = "customer";
            street = "street";
            items = new String[] {"apples", "pears", "plums"};
            amounts = new long[] {1, 2, 3};
        }

        Order with(long newPrice) {
            price = newPrice;
            return this;
        }
    }

    /** Without a constructor of no parameters, it is no POJO. */
    private static final class Event {
        final long number;
        final String name;
        final String[] tags;

        Event(long number) {
            this.number = number;
            name = "event";
            tags = new String[] {"a", "b", "c"};
        }
    }

    private static final class Pause implements MapFunction<Long, Long> {
        private final int ms;

        Pause(int ms) {
            this.ms = ms;
        }

        @Override
        public Long map(Long number) {
            LockSupport.parkNanos(ms * 1_000_000L);
            return number;
        }
    }

    private static final class OneIsSlow extends RichMapFunction<Long, Long> {
        private int ms;

        @Override
        public void open(OpenContext context) {
            ms = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 1 ? 5 : 0;
        }

        @Override
        public Long map(Long number) {
            if (ms > 0) {
                LockSupport.parkNanos(ms * 1_000_000L);
            }
            return number;
        }
    }

    /** A record of every second makes it fail, again and again. */
    private static final class Fails implements MapFunction<Long, Long> {
        @Override
        public Long map(Long number) {
            if (number % PACE == PACE - 1) {
                throw new IllegalStateException("no number: " + number);
            }
            return number;
        }
    }

    /** It takes longer than a checkpoint may. */
    private static final class SavesSlowly implements MapFunction<Long, Long>, CheckpointedFunction {
        @Override
        public Long map(Long number) {
            return number;
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) {
            LockSupport.parkNanos(400 * 1_000_000L);
        }

        @Override
        public void initializeState(FunctionInitializationContext context) {}
    }

    private static final class SlowSink implements Sink<Long> {
        @Override
        public SinkWriter<Long> createWriter(WriterInitContext context) {
            return new SinkWriter<>() {
                @Override
                public void write(Long number, Context told) {
                    LockSupport.parkNanos(2 * 1_000_000L);
                }

                @Override
                public void flush(boolean end) {}

                @Override
                public void close() {}
            };
        }
    }
}
