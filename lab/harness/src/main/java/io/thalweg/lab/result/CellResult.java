// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.thalweg.doctor.compare.Difference;
import io.thalweg.lab.driver.JvmFacts;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One case of a study on one engine, in one variant. Figures are the medians of its valid runs whose rate had settled; if none
 * had, of its valid ones, and then they are not {@code settled}, and enter no ratio; null if none is valid: then {@code reason} says
 * why.
 *
 * @param caseName the case, with the values of its sweep, such as {@code workers=12}
 * @param stages {@link #FUSED} if the variant runs stages of equal parallelism in one task, without a queue, else {@link #APART};
 *     null in results of earlier versions
 * @param settings all that the driver was told
 * @param tuning how the engine was set up, option by option
 * @param jvms those that sources and sinks were in; empty in results of earlier versions
 * @param settled whether the rates that the figures are of had settled; null if there is no figure
 * @param mbPerS payload that reached the sinks, in 10^6 bytes
 * @param latencyUs from when a record was due (in a closed loop, sent) to when it reached the sink
 * @param cpuSPerMillion CPU time of all processes of the engine for a million records
 * @param allocatedBytesPerRecord on the heaps of the JVMs that sources and sinks were in; null if stages were elsewhere, or it was not
 *     counted
 * @param rssMb of all processes of the engine, at its highest
 * @param gcMs in collections, of the measured part
 * @param checked what a run found that was not timed and looked at every record; null if there was none
 * @param testable whether this machine can test the authors' claim; if not, {@code reason} says why
 * @param ratio median records a second against the claim's; null if either is missing
 * @param why what makes the figure differ from the claim, from evidence; may be empty
 */
public record CellResult(
        String study,
        @JsonProperty("case") String caseName,
        String engine,
        String version,
        String variant,
        @Nullable String stages,
        String guarantee,
        Map<String, String> settings,
        Map<String, String> tuning,
        List<JvmFacts> jvms,
        @Nullable Spread recordsPerS,
        @Nullable Boolean settled,
        @Nullable Double mbPerS,
        @Nullable Latency latencyUs,

        @JsonProperty("cpu_s_per_million") @JsonAlias("cpu_sper_million") @Nullable Double cpuSPerMillion,

        @Nullable Double allocatedBytesPerRecord,
        @Nullable Long rssMb,
        @Nullable Long gcMs,
        boolean valid,
        @Nullable Checked checked,
        boolean testable,
        @Nullable String reason,
        @Nullable Claim claim,
        @Nullable Double ratio,
        String why,
        List<RunResult> runs) {

    public CellResult {
        jvms = jvms == null ? List.of() : jvms;
        if (recordsPerS != null && recordsPerS.ci95() == null && runs != null) {
            recordsPerS = recordsPerS.with(ci95(runs, RunResult::recordsPerS));
        }
    }

    /** Behind the name of a case: the same cell a second time, which shows how far two equal ones differ. */
    public static final String AGAIN = " again";

    public static final String FUSED = "fused";
    public static final String APART = "apart";

    /** What results of earlier versions call variants that fuse stages. */
    private static final Set<String> ONCE_FUSED = Set.of(FUSED, "object-reuse", "chained");

    /** Whether its stages are in one task, or each in a task of its own: only cells of one kind are alike. */
    public boolean stagesAre(String fusedOrApart) {
        String kind = stages != null ? stages : ONCE_FUSED.contains(variant) ? FUSED : APART;
        return kind.equals(fusedOrApart);
    }

    /** Of the runs that had settled; null if they are too few. */
    private static Difference.@Nullable Interval ci95(
            List<RunResult> runs, Function<RunResult, @Nullable Double> figure) {
        double[] values = runs.stream()
                .filter(run -> run != null && run.reason() == null && run.settled())
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0 && Double.isFinite(value))
                .toArray();
        if (values.length < Difference.FEWEST_RUNS) {
            return null;
        }
        Difference.Interval ci95 = Difference.Interval.ofMean(values);
        return Double.isFinite(ci95.high()) ? ci95 : null;
    }

    /** 95 % interval of the 99th percentile of latency, as that of the rate; null if the settled runs are too few. */
    public Difference.@Nullable Interval p99Ci95() {
        return ci95(
                runs,
                run -> run.latencyUs() == null ? null : (Double) run.latencyUs().p99());
    }

    /** The same, with a reason for the difference from the claim. */
    public CellResult because(String reasonForDifference) {
        return with(settings, reasonForDifference);
    }

    /** The same, as if the driver had been told these settings. */
    CellResult withSettings(Map<String, String> others) {
        return with(others, why);
    }

    private CellResult with(Map<String, String> others, String reasonForDifference) {
        return new CellResult(
                study,
                caseName,
                engine,
                version,
                variant,
                stages,
                guarantee,
                others,
                tuning,
                jvms,
                recordsPerS,
                settled,
                mbPerS,
                latencyUs,
                cpuSPerMillion,
                allocatedBytesPerRecord,
                rssMb,
                gcMs,
                valid,
                checked,
                testable,
                reason,
                claim,
                ratio,
                reasonForDifference,
                runs);
    }

    /** How many cores all processes of the engine kept busy, beside which its latency must be read; null if that is not known. */
    public @Nullable Double cores() {
        return recordsPerS == null || cpuSPerMillion == null ? null : cpuSPerMillion * recordsPerS.median() / 1e6;
    }

    /** The rate that counts: a wrong cell has none. */
    public @Nullable Spread figure() {
        return valid ? recordsPerS : null;
    }

    /** The rate that may be compared with another one. */
    public @Nullable Spread settledFigure() {
        return hasSettled() && !wasProfiled() ? figure() : null;
    }

    /** Whether any of its runs was recorded, which slows an engine down: then it enters no ratio. */
    public boolean wasProfiled() {
        return runs.stream().anyMatch(run -> run.profile() != null);
    }

    /** Whether the figures are of runs whose rate had settled; of results of earlier versions, whether any run had by what they say. */
    public boolean hasSettled() {
        return settled == null ? runs.stream().anyMatch(run -> run.reason() == null && run.settled()) : settled;
    }

    /** The number that the driver was told by this name; null if there is none, or if it is no number, as another version may have it. */
    public @Nullable Double number(String setting) {
        String value = settings.get(setting);
        try {
            return value == null ? null : (Double) Double.parseDouble(value.replace("_", ""));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Whether the sources kept a rate: then engines differ in latency, and the rate is the same for all that hold it. */
    public boolean keepsRate() {
        return !settings.getOrDefault("rate", "0").equals("0") && !settings.containsKey("rate-search");
    }

    /** What became of its runs in which a process was killed, of those too that do not count. */
    public List<RunResult.Recovery> recoveries() {
        return runs.stream()
                .map(RunResult::recovery)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /**
     * Median, least and most of the runs, and how many there were.
     *
     * @param ci95 where their mean is with 95 % confidence, by {@link Difference.Interval#ofMean}; null if they are fewer than {@link
     *     Difference#FEWEST_RUNS} or had not settled
     */
    public record Spread(double median, double min, double max, int runs, Difference.@Nullable Interval ci95) {
        /** Its cell adds the interval. */
        public Spread(double median, double min, double max, int runs) {
            this(median, min, max, runs, null);
        }

        Spread with(Difference.@Nullable Interval interval) {
            return new Spread(median, min, max, runs, interval);
        }
    }

    /** In microseconds; p95 and the mean are there because Kafka's tools print them. */
    public record Latency(
            double mean, double p50, double p90, double p95, double p99, double p999, double p9999, double max) {}

    /**
     * What a run found that looked at every record, and at every group's row.
     *
     * @param records sent
     * @param lost of them, that did not come out
     * @param repeated how often one came out again
     * @param strange records that came out and were not sent
     * @param groups that had to come out; 0 where records are not grouped
     * @param wrongGroups of them, missing or with a wrong figure
     */
    public record Checked(long records, long lost, long repeated, long strange, long groups, long wrongGroups) {}

    /**
     * What the authors reached.
     *
     * @param recordsPerS their figure in this unit; null if they gave another
     * @param says their figure in their words and units
     */
    public record Claim(@Nullable Double recordsPerS, String says) {}
}
