// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import io.thalweg.lab.driver.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How long messages take through jobs that copy a topic, one job after the other, each with and without waiting for its commits. */
final class LatencyCase {
    /** Without a job: what the clients and the broker take. */
    private static final String DIRECT = "direct";

    private static final int RATE = 5_000;
    private static final int COMMIT_MS = 100;
    private static final int WARM_UP_S = 2;
    private static final int SECONDS = 5;
    private static final int LOOK_MS = 50;

    /** @param job null for {@link #DIRECT} */
    record Copier(String name, @Nullable Child job, Map<String, String> settings) {}

    private final Cluster cluster;
    private final Child probe;
    private final List<Copier> copiers;
    private final Map<String, List<Latencies>> measured = new LinkedHashMap<>();

    LatencyCase(Cluster cluster, Child probe, List<Copier> copiers) {
        this.cluster = cluster;
        this.probe = probe;
        this.copiers = copiers;
    }

    /** Both guarantees of an engine. */
    static List<Copier> both(String engine, Child job, Map<String, String> settings) {
        List<Copier> both = new ArrayList<>();
        for (String guarantee : List.of("at-least-once", "exactly-once")) {
            Map<String, String> all = new HashMap<>(settings);
            all.put("guarantee", guarantee);
            all.put("checkpoint-ms", Integer.toString(COMMIT_MS));
            both.add(new Copier(engine + " " + guarantee, job, all));
        }
        return both;
    }

    static Copier direct() {
        return new Copier(DIRECT, null, Map.of());
    }

    boolean isEmpty() {
        return copiers.isEmpty();
    }

    /** Each copies once without being counted, and then in turn. */
    void run(int rounds) throws Exception {
        for (Copier each : copiers) {
            System.out.println("warm-up of " + each.name() + ", ms: " + text(measure(each)));
        }
        System.out.println("load average before: " + Load.average());
        for (int number = 0; number < rounds; number++) {
            Load load = new Load();
            for (int i = 0; i < copiers.size(); i++) {
                Copier each = copiers.get((number + i) % copiers.size());
                Latencies latencies = measure(each);
                measured.computeIfAbsent(each.name(), name -> new ArrayList<>()).add(latencies);
                System.out.println("round " + (number + 1) + ", " + each.name() + ", ms: " + text(latencies));
            }
            System.out.println("round " + (number + 1) + ": others kept " + load.others() + " cores busy; load average "
                    + Load.average());
        }
    }

    private static String text(Latencies latencies) {
        return String.format(
                Locale.ROOT,
                "p50 %.2f p99 %.2f p99.9 %.2f max %.1f",
                latencies.p50Ms(),
                latencies.p99Ms(),
                latencies.p999Ms(),
                latencies.maxMs());
    }

    private Latencies measure(Copier copier) throws Exception {
        String in = cluster.topic();
        String out = copier.job() == null ? in : cluster.topic();
        Map<String, String> ends = Map.of("broker", cluster.address(), "topic", in, "set.out", out);
        Child job = copier.job();
        Path jobRun = null;
        if (job != null) {
            Map<String, String> all = new HashMap<>(copier.settings());
            all.putAll(ends);
            jobRun = job.begin(all);
        }
        Map<String, String> probing = new HashMap<>(ends);
        probing.put("set.client", "probe");
        probing.put("rate", Integer.toString(RATE));
        probing.put("set.warm-up", Integer.toString(WARM_UP_S));
        probing.put("set.seconds", Integer.toString(SECONDS));
        Path run = probe.begin(probing);
        while (!probe.hasEnded()) {
            if (job != null && job.hasEnded()) {
                job.await(); // throws, unless the job has ended by itself
                throw new IllegalStateException(copier.name() + " ended before it was stopped");
            }
            Thread.sleep(LOOK_MS);
        }
        probe.await();
        Latencies latencies = Latencies.in(run);
        if (job != null && jobRun != null) {
            new RunFolder(jobRun).stop();
            job.await();
            cluster.delete(out);
        }
        cluster.delete(in);
        return latencies;
    }

    void print() {
        System.out.println();
        System.out.println("| " + RATE + " messages/s of " + Payloads.SIZE + " bytes, a commit every " + COMMIT_MS
                + " ms | p50, ms: median (range) | p99 | p99.9 | max |");
        System.out.println("|---|---:|---:|---:|---:|");
        measured.forEach((name, all) -> System.out.println("| " + name + " | "
                + column(all, Latencies::p50Ms) + " | " + column(all, Latencies::p99Ms) + " | "
                + column(all, Latencies::p999Ms) + " | " + column(all, Latencies::maxMs) + " |"));
        System.out.println();
        System.out.println(
                "| what exactly-once takes longer, as a share of its latency: median (range) | p50 | p99 | p99.9 |");
        System.out.println("|---|---:|---:|---:|");
        measured.forEach((name, all) -> {
            List<Latencies> without = measured.get(name.replace("exactly-once", "at-least-once"));
            if (name.endsWith("exactly-once") && without != null) {
                System.out.println("| " + name.replace(" exactly-once", "") + " | "
                        + share(all, without, Latencies::p50Ms) + " | " + share(all, without, Latencies::p99Ms) + " | "
                        + share(all, without, Latencies::p999Ms) + " |");
            }
        });
    }

    private static String column(List<Latencies> all, ToDoubleFunction<Latencies> value) {
        return new Statistics(all.stream().mapToDouble(value).boxed().toList()).text("%.2f", 1);
    }

    /** Within each round. */
    private static String share(List<Latencies> with, List<Latencies> without, ToDoubleFunction<Latencies> value) {
        List<Double> shares = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            double longer = value.applyAsDouble(with.get(i));
            shares.add((longer - value.applyAsDouble(without.get(i))) / longer);
        }
        return new Statistics(shares).text("%.2f", 1);
    }
}
