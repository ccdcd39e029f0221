// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.run.AckSettings;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.Restart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Written after the rules. */
final class SecondHalf {
    private static final long ENDLESS = Long.MAX_VALUE / 4;

    private SecondHalf() {}

    static final List<PlantedJob> JOBS = List.of(
            PlantedJob.of("slow-sink", List.of("slow-sink @ archive"), () -> {
                Topology topology = Topology.named("SlowSink");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(value -> value * 3)
                        .to(Sinks.each(value -> Work.call(value, 1_500)))
                        .name("archive");
                return topology.graph();
            }),
            PlantedJob.of("max-pending", List.of("max-pending"), () -> {
                        Topology topology = Topology.named("MaxPending");
                        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                                .shuffle()
                                .map(value -> Work.compute(value, 50))
                                .name("score")
                                .parallelism(2)
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) ->
                            settings.withAcks(AckSettings.defaults().withMaxPending(1), null)),
            PlantedJob.of("alignment", List.of("parallelism @ score", "alignment"), () -> {
                        Topology topology = Topology.named("Alignment");
                        Stream<Long> slow = topology.from(Sources.generate(ENDLESS, index -> index)
                                        .splitInto(2))
                                .shuffle()
                                .map(value -> Work.compute(value, 30))
                                .name("score")
                                .parallelism(1);
                        Stream<Long> fast = topology.from(Sources.generate(ENDLESS, index -> index)
                                .splitInto(2)
                                .rate(1_000));
                        slow.union(fast)
                                .keyBy(value -> value % 10)
                                .process(() -> new FirstHalf.Scoring(0))
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withGuarantee(
                            Guarantee.EXACTLY_ONCE,
                            CheckpointSettings.in(folder).every(Duration.ofSeconds(1)))),
            PlantedJob.of("late-records", List.of("late-records @ window"), () -> {
                Topology topology = Topology.named("LateRecords");
                topology.from(Sources.generate(ENDLESS, index -> index)
                                .splitInto(2)
                                .rate(5_000))
                        .eventTime(value -> value - (value % 10 == 0 ? 5_000 : 0), Duration.ofMillis(100))
                        .keyBy(value -> value % 7)
                        .window(Windows.tumbling(Duration.ofSeconds(1)))
                        .aggregate(Aggregates.count())
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("growing-state", List.of("growing-state @ remember"), () -> {
                Topology topology = Topology.named("GrowingState");
                topology.from(Sources.generate(ENDLESS, index -> index)
                                .splitInto(2)
                                .rate(100_000))
                        .keyBy(value -> value / 2)
                        .process(() -> new FirstHalf.Scoring(0))
                        .name("remember")
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("restarts", List.of("restarts @ divide"), () -> {
                        Topology topology = Topology.named("Restarts");
                        topology.from(Sources.generate(ENDLESS, index -> index)
                                        .splitInto(2)
                                        .rate(50_000))
                                .map(SecondHalf::fragile)
                                .name("divide")
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withGuarantee(
                                    Guarantee.AT_LEAST_ONCE,
                                    CheckpointSettings.in(folder).every(Duration.ofMillis(200)))
                            .withRestart(Restart.fixed(1_000, Duration.ofMillis(50)))),
            PlantedJob.of("idle-split", List.of("idle-split @ event-time"), () -> {
                Topology topology = Topology.named("IdleSplit");
                topology.from(new SilentSplit())
                        .eventTime(value -> value, Duration.ofMillis(50))
                        .keyBy(value -> value % 7)
                        .window(Windows.tumbling(Duration.ofMillis(200)))
                        .aggregate(Aggregates.count())
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("needless-shuffle", List.of("unfused-edge"), () -> {
                Topology topology = Topology.named("NeedlessShuffle");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .map(value -> value + 1)
                        .shuffle()
                        .map(value -> value * 3)
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("healthy-windows", List.of(), () -> {
                Topology topology = Topology.named("HealthyWindows");
                topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                        .eventTime(value -> value / 100, Duration.ofMillis(10))
                        .keyBy(value -> value % 1000)
                        .window(Windows.tumbling(Duration.ofSeconds(1)))
                        .aggregate(Aggregates.count())
                        .to(Sinks.discard());
                return topology.graph();
            }),
            PlantedJob.of("healthy-one-core", List.of(), () -> {
                        Topology topology = Topology.named("HealthyOneCore");
                        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                                .map(value -> Work.compute(value, 3))
                                .name("score")
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withThreads(1)),
            PlantedJob.of("healthy-checkpoints", List.of(), () -> {
                        Topology topology = Topology.named("HealthyCheckpoints");
                        topology.from(Sources.generate(ENDLESS, index -> index).splitInto(2))
                                .keyBy(value -> value % 10_000)
                                .process(() -> new FirstHalf.Scoring(2))
                                .to(Sinks.discard());
                        return topology.graph();
                    })
                    .with((settings, folder) -> settings.withGuarantee(
                            Guarantee.EXACTLY_ONCE,
                            CheckpointSettings.in(folder).every(Duration.ofSeconds(2)))),
            PlantedJob.of("parsing-and-skew", List.of("parsing @ parse", "skewed-keys @ score"), () -> {
                Topology topology = Topology.named("ParsingAndSkew");
                topology.from(Sources.generate(ENDLESS, index -> index + ";" + index % 13 + ";17.25")
                                .splitInto(2))
                        .map(SecondHalf::total)
                        .name("parse")
                        .keyBy(value -> value % 20 == 0 ? value % 1000 : 7)
                        .process(() -> new FirstHalf.Scoring(1))
                        .name("score")
                        .to(Sinks.discard());
                return topology.graph();
            }));

    private static final AtomicInteger CALLS = new AtomicInteger();

    /** Fails now and then, and not for the same record. */
    private static long fragile(long value) {
        if (CALLS.incrementAndGet() % 60_000 == 0) {
            throw new IllegalStateException("the divisor of " + value + " is 0");
        }
        return value;
    }

    private static long total(String line) {
        String[] fields = line.replaceAll("[^0-9;.]", "").split(";+");
        return Long.parseLong(fields[0]) + (long) Double.parseDouble(fields[2]);
    }
}
