// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.SecretSettings;
import io.thalweg.lab.study.Study.Planned;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of one cell so far, and what they come to. */
final class CellRuns {
    private final Planned planned;
    private final List<RunResult> runs = new ArrayList<>();

    /** The figures of the valid ones, by their turns. */
    private final Map<Integer, Measured> measured = new TreeMap<>();

    private String engineVersion = "";
    private @Nullable String refused;
    private CheckRun.@Nullable Outcome checked;

    CellRuns(Planned planned) {
        this.planned = planned;
    }

    Planned planned() {
        return planned;
    }

    void setEngineVersion(String version) {
        engineVersion = version;
    }

    void refuse(String why) {
        refused = shown(why);
    }

    /** What a driver or an engine says, without secrets: it may repeat what it was told, or has found. */
    String shown(String said) {
        return SecretSettings.text(said, planned.settings());
    }

    /** Why the cell is not run; null if it is. */
    @Nullable String refused() {
        return refused;
    }

    RunResult last() {
        return runs.get(runs.size() - 1);
    }

    void add(CellRun.Outcome outcome) {
        refused = outcome.refused() == null ? null : shown(outcome.refused());
        RunResult result = outcome.result();
        if (result != null) {
            runs.add(result.reason() == null ? result : result.invalid(shown(result.reason())));
            if (result.reason() == null) {
                measured.put(result.turn(), outcome.measured());
            }
        }
    }

    /** Where the lab does not know what must come out, runs must at least agree; otherwise none of them counts. */
    void compare() {
        String why = Validity.disagreement(runs);
        if (why != null) {
            runs.replaceAll(each -> each.reason() == null ? each.invalid(why) : each);
            measured.clear();
        }
    }

    /** Whether there were runs, and none that counts. */
    boolean hasOnlyFailed() {
        return !runs.isEmpty() && valid() == null;
    }

    /** A run that counts; null if there is none. */
    @Nullable RunResult valid() {
        return runs.stream().filter(each -> each.reason() == null).findFirst().orElse(null);
    }

    /** Those of a user's own topology that put out other records than the same job on another engine do not count. */
    void compare(CellRuns other) {
        RunResult mine = valid();
        RunResult its = other.valid();
        String why = mine == null || its == null ? null : Validity.difference(mine, its, other.planned.engine());
        if (why != null) {
            runs.replaceAll(each -> each.reason() == null ? each.invalid(why) : each);
            measured.clear();
        }
    }

    boolean isChecked() {
        return checked != null;
    }

    /** What a run found that looked at every record. */
    void setChecked(CheckRun.Outcome outcome) {
        checked = outcome.problem() == null ? outcome : new CheckRun.Outcome(outcome.found(), shown(outcome.problem()));
    }

    /** Where the run that looked at every record found something wrong, no other counts. */
    void applyCheck() {
        String why = checked == null ? null : checked.problem();
        if (why != null) {
            runs.replaceAll(each -> each.reason() == null ? each.invalid(why) : each);
            measured.clear();
        }
    }

    private CellResult.@Nullable Checked checked() {
        Check found = checked == null ? null : checked.found();
        return found == null
                ? null
                : new CellResult.Checked(
                        found.records(),
                        found.lost(),
                        found.repeated(),
                        found.strange(),
                        found.groups(),
                        found.wrongGroups());
    }

    /** @param engine null if there is no driver for it */
    CellResult result(@Nullable Engine engine) {
        List<RunResult> valid =
                runs.stream().filter(each -> each.recordsPerS() != null).toList();
        List<RunResult> settled = valid.stream().filter(RunResult::settled).toList();
        List<RunResult> counted = settled.isEmpty() ? valid : settled;
        List<Measured> figures = counted.stream()
                .map(each -> measured.getOrDefault(each.turn(), Measured.NOTHING))
                .toList();
        double[] rates = counted.stream()
                .mapToDouble(each -> each.recordsPerS() == null ? 0 : each.recordsPerS())
                .sorted()
                .toArray();
        CellResult.Spread spread = rates.length == 0
                ? null
                : new CellResult.Spread(median(rates), rates[0], rates[rates.length - 1], rates.length);
        String reason = refused;
        for (RunResult each : runs) {
            reason = reason == null ? each.reason() : reason;
        }
        boolean any = spread != null;
        boolean profiled = runs.stream().anyMatch(each -> each.profile() != null);
        // 0 if a run was over before its processes had been looked at twice.
        double cpu = any ? medianOf(figures, Measured::cpuSPerMillion) : 0;
        boolean metered = any && !"files".equals(planned.settings().get("workload"));
        CellResult.Claim claim = planned.claim();
        Engine.Variant variant =
                engine == null ? null : engine.description().variants().get(planned.variant());
        int payload = Cell.of(planned.settings(), Path.of("")).payload();
        return new CellResult(
                planned.study().name(),
                planned.caseName(),
                planned.engine(),
                engineVersion,
                planned.variant(),
                variant == null ? null : variant.stages(),
                planned.settings().getOrDefault("guarantee", "none"),
                planned.settings(),
                variant == null ? Map.of() : variant.tuning(),
                figures.stream()
                        .flatMap(each -> each.jvms().stream())
                        .distinct()
                        .toList(),
                spread,
                any ? !settled.isEmpty() : null,
                spread != null && payload > 0 ? spread.median() * payload / 1e6 : null,
                latency(figures),
                cpu > 0 ? cpu : null,
                metered ? medianOrNull(figures, Measured::allocatedBytesPerRecord) : null,
                metered ? (long) medianOf(figures, Measured::rssMb) : null,
                metered ? (long) medianOf(figures, Measured::gcMs) : null,
                any,
                checked(),
                planned.notTestable() == null,
                Stream.of(planned.notTestable(), spread == null || planned.notTestable() == null ? reason : null)
                        .filter(Objects::nonNull)
                        .reduce((a, b) -> a + "; " + b)
                        .orElse(null),
                claim,
                spread == null || settled.isEmpty() || profiled || claim == null || claim.recordsPerS() == null
                        ? null
                        : spread.median() / claim.recordsPerS(),
                planned.ofCase().why().getOrDefault(planned.engine(), ""),
                List.copyOf(runs));
    }

    /** The median of each percentile, and the longest of all. */
    private static CellResult.@Nullable Latency latency(List<Measured> runs) {
        List<CellResult.Latency> all = new ArrayList<>();
        for (Measured each : runs) {
            if (each.latencyUs() != null) {
                all.add(each.latencyUs());
            }
        }
        return all.isEmpty()
                ? null
                : new CellResult.Latency(
                        medianOf(all, CellResult.Latency::mean),
                        medianOf(all, CellResult.Latency::p50),
                        medianOf(all, CellResult.Latency::p90),
                        medianOf(all, CellResult.Latency::p95),
                        medianOf(all, CellResult.Latency::p99),
                        medianOf(all, CellResult.Latency::p999),
                        medianOf(all, CellResult.Latency::p9999),
                        all.stream().mapToDouble(CellResult.Latency::max).max().orElse(0));
    }

    private static <T> double medianOf(List<T> all, ToDoubleFunction<T> figure) {
        return median(all.stream().mapToDouble(figure).sorted().toArray());
    }

    /** Of those that have it. */
    private static @Nullable Double medianOrNull(List<Measured> all, Function<Measured, @Nullable Double> figure) {
        double[] sorted = all.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        return sorted.length == 0 ? null : median(sorted);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
