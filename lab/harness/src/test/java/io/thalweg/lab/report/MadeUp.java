// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.driver.JvmFacts;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.StudyText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Results that nobody measured, of all five studies, with every kind of cell that a report must show. */
public final class MadeUp {
    public static final Machine MACHINE = new Machine(
            "Made-up CPU at 3.0 GHz",
            2,
            24_576,
            "Linux 6.1 (made up)",
            "17.0.15",
            "0.1.0-SNAPSHOT",
            "0123456789abcdef0123456789abcdef01234567",
            "2026-01-02T03:04:05Z",
            1.1e9,
            0.9,
            24);

    private static final int RUNS = 5;
    private static final Results ALL = make();
    private final Random random = new Random(7);
    private final List<CellResult> cells = new ArrayList<>();
    private int turn;

    private MadeUp() {}

    public static Results allStudies() {
        return ALL;
    }

    private static Results make() {
        MadeUp made = new MadeUp();
        made.flinkStorm();
        made.storm();
        made.jstorm();
        made.telecom();
        made.kafka();
        made.atARate();
        return new Results(Results.SCHEMA, MACHINE, studies(), List.copyOf(made.cells));
    }

    /** The same cell with the figures of runs that had not settled. */
    public static CellResult unsettled(CellResult cell) {
        List<RunResult> runs = cell.runs().stream()
                .map(run -> new RunResult(
                        run.turn(),
                        run.recordsPerS(),
                        run.latencyUs(),
                        run.reason(),
                        run.warmUpS(),
                        run.measuredS(),
                        false,
                        new RunResult.Trend(31, 12, 48),
                        run.sent(),
                        run.received(),
                        run.liveHeapMb(),
                        run.latencyHistogram(),
                        run.series()))
                .toList();
        return with(cell, cell.variant(), false, runs);
    }

    /** The same figures, of another variant. */
    static CellResult asVariant(String variant, CellResult cell) {
        return with(cell, variant, cell.settled(), cell.runs());
    }

    /** The same cell with so many of its runs. */
    static CellResult firstRuns(int most, CellResult cell) {
        return with(cell, cell.variant(), cell.settled(), cell.runs().subList(0, most));
    }

    /** The same cell in another case, with runs of its own. */
    static CellResult inCase(String caseName, CellResult cell, List<RunResult> runs) {
        return with(cell, caseName, cell.variant(), cell.settled(), runs);
    }

    private static CellResult with(CellResult cell, String variant, @Nullable Boolean settled, List<RunResult> runs) {
        return with(cell, cell.caseName(), variant, settled, runs);
    }

    private static CellResult with(
            CellResult cell, String caseName, String variant, @Nullable Boolean settled, List<RunResult> runs) {
        CellResult.Spread spread = cell.recordsPerS();
        return new CellResult(
                cell.study(),
                caseName,
                cell.engine(),
                cell.version(),
                variant,
                cell.stages(),
                cell.guarantee(),
                cell.settings(),
                cell.tuning(),
                cell.jvms(),
                spread == null
                        ? null
                        : new CellResult.Spread(spread.median(), spread.min(), spread.max(), spread.runs()),
                settled,
                cell.mbPerS(),
                cell.latencyUs(),
                cell.cpuSPerMillion(),
                cell.allocatedBytesPerRecord(),
                cell.rssMb(),
                cell.gcMs(),
                cell.valid(),
                cell.checked(),
                cell.testable(),
                cell.reason(),
                cell.claim(),
                null,
                cell.why(),
                runs);
    }

    /** The same cell with runs that were recorded. */
    static CellResult profiled(CellResult cell) {
        List<RunResult> runs = cell.runs().stream()
                .map(run -> new RunResult(
                        run.turn(),
                        run.recordsPerS(),
                        run.latencyUs(),
                        run.reason(),
                        run.warmUpS(),
                        run.measuredS(),
                        run.settled(),
                        run.trend(),
                        run.sent(),
                        run.received(),
                        3,
                        0.25,
                        48.0,
                        run.liveHeapMb(),
                        run.latencyHistogram(),
                        run.job(),
                        new RunResult.Profile(List.of("a.jfr", "a.html"), 47.0),
                        null,
                        run.series()))
                .toList();
        return with(cell, cell.variant(), cell.settled(), runs);
    }

    /** The same cell with runs in which a process was killed: back after 2, 3, 4 s and so on, with 100, 200, 300 records repeated. */
    static CellResult killed(CellResult cell) {
        List<RunResult> runs = new ArrayList<>();
        for (RunResult run : cell.runs()) {
            int n = runs.size() + 1;
            runs.add(new RunResult(
                    run.turn(),
                    run.recordsPerS(),
                    run.latencyUs(),
                    run.reason(),
                    run.warmUpS(),
                    run.measuredS(),
                    run.settled(),
                    run.trend(),
                    run.sent(),
                    run.received(),
                    run.failed(),
                    run.cpuSPerMillion(),
                    run.allocatedBytesPerRecord(),
                    run.liveHeapMb(),
                    run.latencyHistogram(),
                    run.job(),
                    run.profile(),
                    new RunResult.Recovery(1.0 + n, 0.5, 0L, 100L * n),
                    run.series()));
        }
        return with(cell, cell.variant(), cell.settled(), runs);
    }

    private static List<StudyText> studies() {
        return List.of(
                new StudyText(
                        "flink-storm-360",
                        "Flink against Storm, one record at a time",
                        "Records a second per single parallelism; no computation in the task.",
                        List.of(
                                "In process, Flink is 15 times Storm without guarantee.",
                                "Checkpointing costs almost nothing, acking three messages a tuple."),
                        List.of("All figures in this report are made up.")),
                new StudyText(
                        "storm-2012",
                        "Storm 0.6.1: throughput and latency of a pipeline",
                        "16 cores at 2.26 GHz, 16 GB, gigabit Ethernet; tuples of 1000 bytes, sender → processer → stats.",
                        List.of(
                                "One pipeline does about 20,000 tuples/s of 1000 bytes.",
                                "GC matters when memory is short."),
                        List.of("Both hosts of the study are this machine: <b>two worker processes</b> & loopback.")),
                new StudyText(
                        "jstorm-2014",
                        "JStorm 0.9.4.1 against Storm 0.9.2",
                        "6 supervisors of 24 cores; 18 spouts, 18 bolts, 18 ackers, max.spout.pending 10000.",
                        List.of("Every bolt layer costs throughput."),
                        List.of("Parallelism is scaled to 2 cores: 2 spouts, 2 bolts, 2 ackers.")),
                new StudyText(
                        "telecom-2015",
                        "Storm 0.9.2 on network probe data",
                        "3 servers; file spout → flattener → aggregator.",
                        List.of("Throughput hardly depends on key cardinality."),
                        List.of()),
                new StudyText(
                        "kafka-emr",
                        "Kafka 0.10.1.0 with Kafka's own perf tools",
                        "10 brokers of 16 cores; 100 partitions, 1024-byte messages, linger.ms 0.",
                        List.of("Nearly linear in the number of producers."),
                        List.of("One and three brokers on one machine.")));
    }

    private void flinkStorm() {
        for (String transfer : List.of("in-process", "between-processes")) {
            for (String guarantee : List.of("none", "at-least-once")) {
                for (String from : List.of("generated", "kafka")) {
                    String name = transfer + "-" + guarantee + "-" + from;
                    boolean inside = transfer.equals("in-process");
                    double scale = (inside ? 1 : 0.25) * (from.equals("kafka") ? 0.02 : 1);
                    boolean acked = guarantee.equals("at-least-once");
                    thalwegIn360(name, guarantee, inside && !acked && from.equals("generated"), scale);
                    cell("flink-storm-360", name, "flink", "object-reuse", guarantee)
                            .claim(inside && !acked && from.equals("generated") ? 40.9e6 : null, "40.9 M records/s")
                            .why(inside ? "2 vCPUs at 3 GHz against the authors' server cores" : "")
                            .rate(31e6 * scale);
                    cell("flink-storm-360", name, "flink", "chained", guarantee).rate(21e6 * scale);
                    cell("flink-storm-360", name, "storm", "tuned", guarantee)
                            .claim(null, "Flink / 15")
                            .latency(12_000)
                            .rate((acked ? 0.21e6 : 3.1e6) * scale);
                }
            }
        }
        cell("flink-storm-360", "in-process-none-generated", "kstreams", "default", "none")
                .refused("Kafka Streams reads only Kafka topics");
    }

    private void thalwegIn360(String name, String guarantee, boolean can, double scale) {
        if (can) {
            cell("flink-storm-360", name, "thalweg", "fused", guarantee).rate(612e6 * scale);
            cell("flink-storm-360", name, "thalweg", "apart", guarantee).rate(180e6 * scale);
        } else {
            cell("flink-storm-360", name, "thalweg", "fused", guarantee)
                    .refused("not applicable: Thalweg has no second process, and no Kafka connector yet");
        }
    }

    private void storm() {
        for (String name : List.of("a", "b", "e", "f")) {
            boolean acked = name.equals("e");
            boolean gc = name.equals("f");
            double claim = acked ? 9_250 : name.equals("b") ? 21_809 : 25_253;
            cell("storm-2012", name, "thalweg", "fused", "none")
                    .bytes(1000)
                    .latency(acked ? 4 : 40)
                    .hoards(gc)
                    .rate(acked ? 2.1e6 : 5.9e6);
            if (name.equals("a")) {
                cell("storm-2012", name, "hand", "loop", "none").bytes(1000).rate(6.1e6);
                cell("storm-2012", name, "hand", "ring", "none").bytes(1000).rate(6.6e6);
            }
            cell("storm-2012", name, "storm", "tuned", acked ? "acked" : "none")
                    .bytes(1000)
                    .claim(gc ? null : claim, gc ? "49.2 % of GC time in full GC" : Figures.digits(claim) + " tuples/s")
                    .why("14 years of hardware; tuples copied once per hop")
                    .latency(acked ? 330 : 21_000)
                    .hoards(gc)
                    .rate(acked ? 31_000 : 1.6e6);
            cell("storm-2012", name, "jstorm", "default", acked ? "acked" : "none")
                    .bytes(1000)
                    .latency(acked ? 9_700 : 24_000)
                    .hoards(gc)
                    .rate(acked ? 2_300 : 1.2e6);
        }
        cell("storm-2012", "c", "storm", "tuned", "none")
                .bytes(1000)
                .claim(20_771.0, "20,771 tuples/s")
                .latency(90_000)
                .rate(160_000);
        cell("storm-2012", "d", "storm", "tuned", "none")
                .bytes(1000)
                .claim(32_701.0, "32,701 tuples/s, 1.6× c")
                .untestable("4 processers and 2 workers on 2 cores cannot scale out")
                .rate(82_000);
        cell("storm-2012", "g", "storm", "tuned", "none")
                .bytes(1000)
                .claim(1_000.0, "about 1,000 tuples/s")
                .refused("the child died: ModuleNotFoundError: No module named 'storm' <script>alert(1)</script>");
    }

    private void jstorm() {
        double[] jstorm = {661_090, 472_635, 393_257, 350_034, 286_463, 262_242};
        double[] storm = {352_400, 235_278, 180_876, 139_182, 113_988, 98_916};
        for (int layers = 1; layers <= 6; layers++) {
            Map<String, String> set = Map.of("layers", "" + layers);
            double share = 1.0 / layers;
            String name = "bolt-layers layers=" + layers;
            cell("jstorm-2014", name, "thalweg", "fused", "acked").set(set).rate(9.1e6 * Math.sqrt(share));
            cell("jstorm-2014", name, "storm", "tuned", "acked")
                    .set(set)
                    .claim(storm[layers - 1], Figures.count(storm[layers - 1] * 10) + " per 10 s")
                    .rate(206e3 * share);
            cell("jstorm-2014", name, "jstorm", "default", "acked")
                    .set(set)
                    .claim(jstorm[layers - 1], Figures.count(jstorm[layers - 1] * 10) + " per 10 s")
                    .rate(131e3 * share);
        }
        int[] sizes = {10, 100, 500, 1000, 3000, 5000};
        double[] mb = {10, 100, 500, 900, 1020, 1220};
        for (int i = 0; i < sizes.length; i++) {
            String name = "message-bytes payload=" + sizes[i];
            double slower = 1 / (1 + sizes[i] / 1500.0);
            cell("jstorm-2014", name, "thalweg", "fused", "acked")
                    .bytes(sizes[i])
                    .rate(9.1e6 * slower);
            cell("jstorm-2014", name, "storm", "tuned", "acked").bytes(sizes[i]).rate(206e3 * slower);
            cell("jstorm-2014", name, "jstorm", "default", "acked")
                    .bytes(sizes[i])
                    .claim(mb[i] * 1e6 / sizes[i], "≈" + Figures.digits(mb[i]) + " MB/s")
                    .rate(140e3 * slower);
        }
        for (int workers : new int[] {6, 12, 24, 36, 54}) {
            cell("jstorm-2014", "workers processes=" + workers, "jstorm", "default", "acked")
                    .set(Map.of("processes", "" + workers))
                    .claim(928_060.0, "9.3 M per 10 s")
                    .untestable("its worker processes start on no JDK to be had here")
                    .refused("its worker processes start on no JDK to be had here");
        }
    }

    private void telecom() {
        for (int cardinality : new int[] {10, 1_000, 10_000, 1_000_000}) {
            String name = "lesson-1 cardinality=" + cardinality;
            Map<String, String> set = Map.of("cardinality", "" + cardinality);
            double slower = 1 / (1 + Math.log10(cardinality) / 8);
            cell("telecom-2015", name, "thalweg", "fused", "none").set(set).rate(14e6 * slower);
            cell("telecom-2015", name, "flink", "object-reuse", "none").set(set).rate(0.7e6 * slower);
            cell("telecom-2015", name, "thalweg", "apart", "none").set(set).rate(12e6 * slower);
            (cardinality == 10
                            ? cell("telecom-2015", name, "storm", "tuned", "none")
                                    .restless()
                            : cell("telecom-2015", name, "storm", "tuned", "none"))
                    .set(set)
                    .claim(null, "hardly depends on it")
                    .rate(1.1e6 * slower);
        }
        cell("telecom-2015", "whole", "thalweg", "fused", "none")
                .why("Jackson is most of the work, and both use it")
                .rate(104_000);
        cell("telecom-2015", "whole", "flink", "object-reuse", "none").rate(121_000);
        cell("telecom-2015", "whole", "storm", "tuned", "none")
                .claim(88_000.0, "8,000 → 88,000 records/s")
                .rate(31_000);
    }

    private void kafka() {
        for (int producers : new int[] {1, 2, 4}) {
            cell("kafka-emr", "producers producers=" + producers, "kafka", "default", "none")
                    .bytes(1024)
                    .set(Map.of("workload", "produce"))
                    .claim(null, "nearly linear")
                    .latency(1_700)
                    .rate(210_000 * Math.sqrt(producers));
        }
        for (int acks : new int[] {0, 1, -1}) {
            cell("kafka-emr", "acks acks=" + acks, "kafka", "default", "none")
                    .bytes(1024)
                    .set(Map.of("workload", "produce"))
                    .claim(null, acks == 0 ? "fastest" : "")
                    .latency(9_000)
                    .rate(7_000 * (acks == -1 ? 0.6 : 1));
        }
        for (int threads : new int[] {1, 2}) {
            cell("kafka-emr", "consume threads=" + threads, "kafka", "default", "none")
                    .bytes(1024)
                    .set(Map.of("workload", "consume"))
                    .claim(null, "one thread fills the network card")
                    .untestable("loopback has no network card to fill")
                    .rate(358_000 * threads);
        }
    }

    /** Cells whose sources keep a rate. */
    private void atARate() {
        Map<String, String> rate = Map.of("rate", "100000");
        cell("telecom-2015", "at-100000-a-second", "thalweg", "apart", "none")
                .set(rate)
                .latency(40)
                .rate(100_000);
        cell("telecom-2015", "at-100000-a-second", "flink", "unchained", "none")
                .set(rate)
                .latency(30)
                .rate(100_000);
    }

    private Builder cell(String study, String caseName, String engine, String variant, String guarantee) {
        return new Builder(study, caseName, engine, variant, guarantee);
    }

    /** Adds its cell when told the rate, or that there is none. */
    private final class Builder {
        private final String study;
        private final String caseName;
        private final String engine;
        private final String variant;
        private final String guarantee;
        private final Map<String, String> settings = new TreeMap<>();
        private CellResult.@Nullable Claim claim;
        private String why = "";
        private @Nullable String reason;
        private boolean testable = true;
        private boolean hoards;
        private boolean restless;
        private double latencyUs;
        private int bytes;

        Builder(String study, String caseName, String engine, String variant, String guarantee) {
            this.study = study;
            this.caseName = caseName;
            this.engine = engine;
            this.variant = variant;
            this.guarantee = guarantee;
            settings.put("workload", "relay");
            settings.put("guarantee", guarantee);
        }

        Builder claim(@Nullable Double recordsPerS, String says) {
            claim = new CellResult.Claim(recordsPerS, says);
            return this;
        }

        Builder why(String text) {
            why = text;
            return this;
        }

        Builder latency(double p50Us) {
            latencyUs = p50Us;
            return this;
        }

        Builder bytes(int payload) {
            bytes = payload;
            settings.put("payload", "" + payload);
            return this;
        }

        Builder hoards(boolean yes) {
            hoards = yes;
            return this;
        }

        /** None of its runs settles. */
        Builder restless() {
            restless = true;
            return this;
        }

        Builder set(Map<String, String> more) {
            settings.putAll(more);
            return this;
        }

        Builder untestable(String because) {
            testable = false;
            reason = because;
            return this;
        }

        void refused(String because) {
            reason = because;
            add(null, List.of());
        }

        void rate(double rate) {
            List<RunResult> runs = new ArrayList<>();
            double[] rates = new double[RUNS];
            for (int i = 0; i < RUNS; i++) {
                rates[i] = rate * Math.exp(0.06 * random.nextGaussian());
                runs.add(run(rates[i]));
            }
            double[] sorted = rates.clone();
            Arrays.sort(sorted);
            add(new CellResult.Spread(sorted[RUNS / 2], sorted[0], sorted[RUNS - 1], RUNS), runs);
        }

        private void add(CellResult.@Nullable Spread spread, List<RunResult> runs) {
            boolean can = spread != null;
            Double claimed = claim == null ? null : claim.recordsPerS();
            cells.add(new CellResult(
                    study,
                    caseName,
                    engine,
                    can ? "2.3" : "",
                    variant,
                    List.of("fused", "loop", "object-reuse", "chained").contains(variant) ? "fused" : "apart",
                    guarantee,
                    settings,
                    engine.equals("storm")
                            ? Map.of("topology.producer.batch.size", "1000", "topology.transfer.batch.size", "500")
                            : Map.of(),
                    can
                            ? List.of(new JvmFacts("17.0.15", List.of("-Xmx2g"), 2048, List.of("G1 Young Generation")))
                            : List.of(),
                    spread,
                    can ? (Boolean) runs.stream().anyMatch(RunResult::settled) : null,
                    can && bytes > 0 ? (Double) (spread.median() * bytes / 1e6) : null,
                    can && latencyUs > 0 ? latency() : null,
                    can ? (Double) (2e6 / spread.median()) : null,
                    can ? (Double) 48.0 : null,
                    can ? (Long) 900L : null,
                    can ? (Long) 120L : null,
                    can,
                    can
                            ? new CellResult.Checked(1_000_000, 0, guarantee.equals("at-least-once") ? 12 : 0, 0, 0, 0)
                            : null,
                    testable,
                    reason,
                    claim,
                    can && claimed != null && testable && runs.stream().anyMatch(RunResult::settled)
                            ? (Double) (spread.median() / claimed)
                            : null,
                    why,
                    runs));
        }

        private CellResult.Latency latency() {
            double p = latencyUs;
            return new CellResult.Latency(1.2 * p, p, 2 * p, 3 * p, 5 * p, 9 * p, 14 * p, 22 * p);
        }

        private RunResult run(double rate) {
            List<RunResult.Second> series = new ArrayList<>();
            int warmUp = 6 + random.nextInt(3);
            double gcLongest = 0;
            for (int t = 0; t < 40; t++) {
                boolean measured = t >= warmUp && t < warmUp + 30;
                double warm = Math.min(1, 0.4 + 0.6 * t / warmUp);
                boolean collecting = hoards && t % 9 > 5;
                double now = rate * warm * (collecting ? 0.3 : 1) * Math.exp(0.03 * random.nextGaussian());
                double p50 = latencyUs * (collecting ? 30 : 1) * Math.exp(0.1 * random.nextGaussian()) / warm;
                double gc = hoards ? (collecting ? 600 : 90) : 4 * random.nextDouble();
                gcLongest = Math.max(gcLongest, gc / 2);
                boolean timed = latencyUs > 0;
                series.add(new RunResult.Second(
                        t,
                        measured,
                        now,
                        timed ? (Double) p50 : null,
                        timed ? (Double) (5 * p50) : null,
                        timed ? (Double) (20 * p50 * (1 + random.nextDouble())) : null,
                        150 + 30 * random.nextDouble(),
                        80 + 15 * random.nextDouble(),
                        random.nextDouble(),
                        700 + 4.0 * t,
                        hoards ? 300 + 60.0 * (t % 9) : 200 + 40.0 * (t % 5),
                        bytes * now / 1e6,
                        gc,
                        gcLongest,
                        900 + 200 * random.nextDouble(),
                        34,
                        1.9));
            }
            boolean invalid = study.equals("storm-2012") && caseName.equals("a") && turn % 11 == 3;
            long sent = Math.round(rate * 38);
            return new RunResult(
                    ++turn,
                    invalid ? null : (Double) rate,
                    latencyUs > 0 ? latency() : null,
                    invalid ? "3 of " + sent + " records did not come out" : null,
                    warmUp,
                    30,
                    turn % 17 != 0 && !restless,
                    new RunResult.Trend(turn % 17 != 0 && !restless ? 0.4 : 31, -2, 40),
                    sent,
                    sent,
                    null,
                    latencyUs > 0 && !invalid ? "HISTFAAAABx4nJNpmSzMwMDAxAABzFAaAA0gAGw=" : null,
                    series);
        }
    }
}
