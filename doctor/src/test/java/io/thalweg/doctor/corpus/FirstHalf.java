// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.CheckpointSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Written before the rules. */
final class FirstHalf {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private FirstHalf() {}

    static final List<PlantedJob> JOBS = List.of(
            PlantedJob.of("slow-operator", List.of("parallelism @ score"), () -> {
                Topology topology = Topology.named("SlowOperator");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .shuffle()
                        .map(value -> Work.compute(value, 20))
                        .name("score")
                        .parallelism(1)
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("skewed-keys", List.of("skewed-keys @ score"), () -> {
                Topology topology = Topology.named("SkewedKeys");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .keyBy(value -> value % 20 == 0 ? value % 1000 : 7)
                        .process(() -> new Scoring(10))
                        .name("score")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("slow-split", List.of("slow-task @ score"), () -> {
                Topology topology = Topology.named("SlowSplit");
                topology.from(Sources.generate(400_000, index -> index).splitInto(2))
                        .map(value -> Work.compute(value, value % 2 == 0 ? 1 : 40))
                        .name("score")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("few-splits", List.of("few-splits @ source"), () -> {
                Topology topology = Topology.named("FewSplits");
                topology.from(Sources.generate(ENDLESS, index -> index))
                        .map(value -> Work.compute(value, 10))
                        .name("score")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("blocking-call", List.of("blocking-call @ lookup"), () -> {
                Topology topology = Topology.named("BlockingCall");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(value -> Work.call(value, 2_000))
                        .name("lookup")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("many-threads", List.of("threads"), () -> {
                        Topology topology = Topology.named("ManyThreads");
                        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(8))
                                .map(value -> Work.compute(value, 5))
                                .name("score")
                                .shuffle()
                                .map(value -> Work.compute(value, 5))
                                .name("weigh")
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withParallelism(8).withThreads(8)),
            PlantedJob.of("isolated", List.of("unfused-edge"), () -> {
                Topology topology = Topology.named("Isolated");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(value -> value + 1)
                        .isolate()
                        .map(value -> value * 3)
                        .isolate()
                        .filter(value -> value % 7 != 0)
                        .isolate()
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("garbage", List.of("garbage @ copies"), () -> {
                Topology topology = Topology.named("Garbage");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(FirstHalf::copies)
                        .name("copies")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("regex", List.of("parsing @ parse"), () -> {
                Topology topology = Topology.named("Regex");
                topology.from(Sources.generate(ENDLESS, index -> index + "; 17.5 ;north; " + index % 97)
                                .splitInto(2))
                        .map(FirstHalf::parse)
                        .name("parse")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("checkpoints", List.of("checkpoints"), () -> {
                        Topology topology = Topology.named("Checkpoints");
                        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                                .keyBy(value -> value % 400_000)
                                .process(() -> new Scoring(0))
                                .name("remember")
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withGuarantee(
                            Guarantee.AT_LEAST_ONCE,
                            CheckpointSettings.in(folder).every(Duration.ofMillis(20)))),
            PlantedJob.of("healthy-decimals", List.of(), () -> {
                Topology topology = Topology.named("HealthyDecimals");
                topology.from(Sources.generate(ENDLESS, index -> index + "." + index % 89)
                                .splitInto(2))
                        .map(FirstHalf::price)
                        .name("price")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("healthy-paced", List.of(), () -> {
                Topology topology = Topology.named("HealthyPaced");
                topology.from(Sources.generate(ENDLESS, index -> index)
                                .splitInto(2)
                                .rate(2_000))
                        .keyBy(value -> value % 100)
                        .process(() -> new Scoring(5))
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("blocking-and-skew", List.of("blocking-call @ lookup", "skewed-keys @ score"), () -> {
                Topology topology = Topology.named("BlockingAndSkew");
                Stream<Long> looked = topology.from(
                                Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(value -> value % 8 == 0 ? Work.call(value, 2_000) : value)
                        .name("lookup");
                looked.keyBy(value -> value % 20 == 0 ? value % 1000 : 7)
                        .process(() -> new Scoring(1))
                        .name("score")
                        .to(Sinks.discard());
                return topology.graph();
            }));

    private static final ThreadLocal<List<byte[]>> KEPT = ThreadLocal.withInitial(ArrayList::new);

    /** Keeps as much as a cache without a limit would, and throws as much away. */
    private static long copies(long value) {
        List<byte[]> kept = KEPT.get();
        if (kept.size() > 300_000) {
            kept.set((int) (value % kept.size()), new byte[200]);
        } else {
            kept.add(new byte[200]);
        }
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            sum += new byte[2_000].length;
        }
        return sum;
    }

    private static double parse(String line) {
        String[] fields = line.replaceAll("\\s+", "").split(";|\\|");
        return Double.parseDouble(fields[1]) * Integer.parseInt(fields[3]);
    }

    private static BigDecimal price(String text) {
        return new BigDecimal(text).multiply(BigDecimal.TEN);
    }

    /** Keeps the newest record of each key. */
    static final class Scoring implements KeyedOperator<Long, Long, Long> {
        private final int micros;
        private ValueState<Long> newest;

        Scoring(int micros) {
            this.micros = micros;
        }

        @Override
        public void open(KeyedContext context) {
            newest = context.state("newest", Type.of(Long.class));
        }

        @Override
        public void process(Long key, Long value, Output<Long> output) {
            newest.set(value);
            output.emit(Work.compute(value, micros));
        }
    }
}
