// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.CheckpointStats;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.Windows;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.files.Json;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomSettings;
import io.thalweg.workloads.telecom.TelecomSize;
import io.thalweg.workloads.telecom.TelecomSource;
import io.thalweg.workloads.telecom.TelecomSums;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a checkpoint costs a job that is running: pairs of spans of time, one with a checkpoint and one without, in a random
 * order, in one JVM and on the same compiled code. Prints the mean ratio of the rates with its 95 % interval, and what that
 * makes of it where a checkpoint is taken every ten seconds.
 *
 * <pre>java -Xms2g -Xmx2g -cp 'lab/micro/target/dist/lib/*' io.thalweg.micro.CheckpointCost DIR</pre>
 */
final class CheckpointCost {
    private static final int PAIRS = 20;
    private static final double SPAN_S = 1.5;
    private static final double WARM_UP_S = 8;
    private static final double INTERVAL_S = 10;

    /** Of Student's t for 19 degrees of freedom, one less than there are pairs, two-sided. */
    private static final double T_95 = 2.093;

    private CheckpointCost() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        System.out.println("| job | guarantee | file | a checkpoint every 1.5 s | every 10 s |");
        System.out.println("| :--- | :--- | ---: | ---: | ---: |");
        for (Guarantee guarantee : new Guarantee[] {Guarantee.AT_LEAST_ONCE, Guarantee.EXACTLY_ONCE}) {
            measure(chain(), guarantee, folder.resolve("chain-" + guarantee));
            measure(telecom(), guarantee, folder.resolve("telecom-" + guarantee));
        }
    }

    private static Topology chain() {
        Topology topology = Topology.named("chain");
        topology.from(Sources.generate(Long.MAX_VALUE, n -> n))
                .map(n -> 31 * n + 7)
                .filter(n -> n != 5)
                .to(Sinks.discard());
        return topology;
    }

    private static Topology telecom() {
        TelecomSettings settings = TelecomSettings.of(TelecomSize.SMALL).withRecords(TelecomSettings.ENDLESS);
        Topology topology = Topology.named("telecom");
        topology.from(TelecomSource.jsonLines(settings))
                .map(Json.reader(Probe.class))
                .as(Probe.class)
                .eventTime(Probe::time, Duration.ZERO)
                .keyBy(Probe::dimensions)
                .window(Windows.tumbling(Duration.ofMinutes(5)))
                .aggregate(TelecomSums.aggregate())
                .to(Sinks.discard());
        return topology;
    }

    private static void measure(Topology topology, Guarantee guarantee, Path directory) throws Exception {
        CheckpointSettings byHand = CheckpointSettings.in(directory).every(Duration.ofDays(1));
        Job job = new EmbeddedRunner(Runs.narrow().withGuarantee(guarantee, byHand)).start(topology.graph());
        rate(job, WARM_UP_S, true);
        Random random = new Random(17);
        double[] ratios = new double[PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean first = random.nextBoolean();
            double one = rate(job, SPAN_S, first);
            double other = rate(job, SPAN_S, !first);
            ratios[pair] = first ? one / other : other / one;
        }
        CheckpointStats last = job.lastCheckpoint();
        long bytes = last == null
                ? 0
                : last.states().stream()
                        .mapToLong(CheckpointStats.StateSize::bytes)
                        .sum();
        job.kill();
        try {
            job.await();
        } catch (JobFailedException e) {
            // it was killed
        }
        double mean = Arrays.stream(ratios).average().orElseThrow();
        double variance = Arrays.stream(ratios)
                        .map(ratio -> (ratio - mean) * (ratio - mean))
                        .sum()
                / (PAIRS - 1);
        double margin = T_95 * Math.sqrt(variance / PAIRS);
        double share = SPAN_S / INTERVAL_S;
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,.1f kB | %.3f (%.3f–%.3f) | %.3f (%.3f–%.3f) |%n",
                job.stats().topology(),
                guarantee.words(),
                bytes / 1e3,
                mean,
                mean - margin,
                mean + margin,
                1 - (1 - mean) * share,
                1 - (1 - mean + margin) * share,
                1 - (1 - mean - margin) * share);
    }

    private static double rate(Job job, double seconds, boolean checkpoint) {
        long recordsBefore = job.stats().recordsIn();
        long beganNs = System.nanoTime();
        if (checkpoint && !job.checkpoint()) {
            throw new IllegalStateException("a checkpoint is still being taken");
        }
        long endNs = beganNs + (long) (seconds * 1e9);
        while (System.nanoTime() < endNs) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return (job.stats().recordsIn() - recordsBefore) / ((System.nanoTime() - beganNs) / 1e9);
    }
}
