// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.study;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.thalweg.lab.report.Figures;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * What the authors of a study concluded, and how cells of it can show whether that holds here. The verdict is computed from results, so
 * it cannot outlive them.
 *
 * @param compare all of these must be so; empty if nothing is compared
 * @param notTestable why this machine, or any, cannot show it; null if it can
 */
public record Conclusion(
        String says, List<Comparison> compare, @Nullable String notTestable) {
    private static final String RATE = "rate";

    /** What is compared, each the better known figure of a run. */
    private static final Map<String, Measure> MEASURES = Map.of(
            RATE,
            new Measure("records/s", (run, cell) -> run.recordsPerS()),
            "bytes",
            new Measure("bytes/s", (run, cell) -> bytes(run, cell)),
            "p50",
            new Measure("p50 in µs", (run, cell) -> latency(run, CellResult.Latency::p50)),
            "p99",
            new Measure("p99 in µs", (run, cell) -> latency(run, CellResult.Latency::p99)));

    private interface Value {
        @Nullable Double of(RunResult run, CellResult cell);
    }

    private record Measure(String name, Value value) {}

    private record Range(double least, double median, double most) {}

    /** Ordered by which decides: one that is contradicted contradicts the whole. */
    private enum Outcome {
        CONTRADICTED("contradicted"),
        NOT_TESTABLE("not testable here"),
        NOT_SHOWN("not shown"),
        HOLDS("holds");

        private final String says;

        Outcome(String says) {
            this.says = says;
        }
    }

    private record Verdict(Outcome outcome, String why) {}

    /**
     * A figure of a cell, or how many times that of another one it is.
     *
     * @param cell {@code CASE/ENGINE} or {@code CASE/ENGINE/VARIANT}, the case with the value of its sweep; without a variant, the first
     * @param with another one; null for the figure itself
     * @param measure {@code rate}, {@code bytes} a second, {@code p50} or {@code p99} in microseconds
     */
    public record Comparison(
            String cell,
            @Nullable String with,
            String measure,
            @JsonProperty("at-least") @Nullable Double atLeast,
            @JsonProperty("at-most") @Nullable Double atMost) {
        public Comparison {
            measure = measure == null ? RATE : measure;
        }

        private @Nullable String problem(Study study) {
            if (cell == null || (atLeast == null && atMost == null)) {
                return "a comparison needs a cell, and at-least or at-most";
            }
            if (!MEASURES.containsKey(measure)) {
                return "there is no measure '" + measure + "'; there are "
                        + MEASURES.keySet().stream().sorted().toList();
            }
            for (String each : with == null ? List.of(cell) : List.of(cell, with)) {
                String[] parts = each.split("/");
                if (parts.length < 2
                        || parts.length > 3
                        || !study.has(parts[0], parts[1], parts.length < 3 ? null : parts[2])) {
                    return "there is no cell '" + each
                            + "'; one is CASE/ENGINE or CASE/ENGINE/VARIANT, such as 'a/storm' or 'b relays=2/storm/tuned'";
                }
            }
            return null;
        }

        private Verdict verdict(List<CellResult> cells) {
            CellResult one = find(cells, cell);
            CellResult other = with == null ? null : find(cells, with);
            for (CellResult each : other == null ? listOf(one) : listOf(one, other)) {
                if (!each.testable()) {
                    return new Verdict(Outcome.NOT_TESTABLE, each.reason() == null ? name(each) : each.reason());
                }
            }
            Range of = range(one);
            if (of == null || one == null) {
                return new Verdict(Outcome.NOT_SHOWN, missing(one, cell));
            }
            Range by = range(other);
            if (with != null && (by == null || other == null)) {
                return new Verdict(Outcome.NOT_SHOWN, missing(other, with));
            }
            Range ratio = by == null ? of : new Range(of.least / by.most, of.median / by.median, of.most / by.least);
            String says = name(one) + " has " + Figures.digits(ratio.median) + " (" + Figures.digits(ratio.least) + "–"
                    + Figures.digits(ratio.most) + ") "
                    + (other == null ? measured() : "times the " + measured() + " of " + name(other)) + ", expected "
                    + expected();
            boolean all = meets(ratio.least) && meets(ratio.most);
            boolean none = (atLeast != null && ratio.most < atLeast) || (atMost != null && ratio.least > atMost);
            if (all) {
                return new Verdict(Outcome.HOLDS, says);
            }
            return none
                    ? new Verdict(Outcome.CONTRADICTED, says)
                    : new Verdict(Outcome.NOT_SHOWN, says + ", and runs are on both sides of it");
        }

        private static List<CellResult> listOf(@Nullable CellResult... cells) {
            List<CellResult> all = new ArrayList<>();
            for (CellResult each : cells) {
                if (each != null) {
                    all.add(each);
                }
            }
            return all;
        }

        private String measured() {
            Measure known = MEASURES.get(measure);
            return known == null ? measure : known.name;
        }

        private boolean meets(double value) {
            return (atLeast == null || value >= atLeast) && (atMost == null || value <= atMost);
        }

        private String expected() {
            if (atLeast == null || atMost == null) {
                return atLeast == null ? "at most " + digits(atMost) : "at least " + digits(atLeast);
            }
            return digits(atLeast) + " to " + digits(atMost);
        }

        private static String digits(@Nullable Double bound) {
            return bound == null ? "" : Figures.digits(bound);
        }

        /** Of the runs that count; null if there is no figure that may be compared. */
        private @Nullable Range range(@Nullable CellResult of) {
            Measure known = MEASURES.get(measure);
            if (of == null || known == null || of.settledFigure() == null) {
                return null;
            }
            double[] values = of.runs().stream()
                    .filter(run -> run.reason() == null && run.settled())
                    .map(run -> known.value.of(run, of))
                    .flatMapToDouble(value -> value == null ? DoubleStream.empty() : DoubleStream.of(value))
                    .sorted()
                    .toArray();
            int last = values.length - 1;
            return last < 0
                    ? null
                    : new Range(values[0], (values[last / 2] + values[(last + 1) / 2]) / 2, values[last]);
        }

        private static @Nullable CellResult find(List<CellResult> cells, String name) {
            String[] parts = name.split("/");
            return cells.stream()
                    .filter(each -> each.caseName().equals(parts[0])
                            && each.engine().equals(parts[1])
                            && (parts.length < 3 || each.variant().equals(parts[2])))
                    .findFirst()
                    .orElse(null);
        }

        private static String missing(@Nullable CellResult found, String name) {
            return found == null
                    ? name + " was not measured"
                    : name(found) + (found.figure() == null ? " has no figure" : " has no figure that had settled");
        }

        private static String name(CellResult cell) {
            return cell.caseName() + " " + cell.engine() + " " + cell.variant();
        }
    }

    public Conclusion {
        compare = compare == null ? List.of() : compare;
    }

    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    static Conclusion of(
            @JsonProperty("says") String says,
            @JsonProperty("compare") List<Comparison> compare,
            @JsonProperty("not-testable") @Nullable String notTestable) {
        return new Conclusion(says, compare, notTestable);
    }

    /** One that nothing is compared for. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Conclusion of(String says) {
        return new Conclusion(says, List.of(), null);
    }

    /** What is missing or cannot be; null if nothing. */
    @Nullable String problem(Study study) {
        if (says == null) {
            return "a conclusion needs says";
        }
        for (Comparison each : compare) {
            String problem = each == null ? "a comparison is empty" : each.problem(study);
            if (problem != null) {
                return "conclusion '" + says + "': " + problem;
            }
        }
        return null;
    }

    /** In a line, with the verdict behind it if there is one: {@code … — holds: e storm tuned has 0.11 (0.1–0.12) times the records/s of …}. */
    String told(List<CellResult> cells) {
        if (notTestable != null) {
            return says + " — " + Outcome.NOT_TESTABLE.says + ": " + notTestable;
        }
        List<Verdict> verdicts =
                compare.stream().map(each -> each.verdict(cells)).toList();
        return verdicts.stream()
                .map(Verdict::outcome)
                .min(Enum::compareTo)
                .map(outcome -> says + " — " + outcome.says + ": " + why(verdicts))
                .orElse(says);
    }

    private static String why(List<Verdict> verdicts) {
        boolean same = verdicts.stream().map(Verdict::outcome).distinct().count() == 1;
        return verdicts.stream()
                .map(each -> same ? each.why : each.why + " (" + each.outcome.says + ")")
                .distinct()
                .collect(Collectors.joining("; "));
    }

    private static @Nullable Double bytes(RunResult run, CellResult cell) {
        Double payload = cell.number("payload");
        Double rate = run.recordsPerS();
        return rate == null || payload == null ? null : (Double) (rate * payload);
    }

    private static @Nullable Double latency(RunResult run, ToDoubleFunction<CellResult.Latency> which) {
        CellResult.Latency latency = run.latencyUs();
        return latency == null ? null : which.applyAsDouble(latency);
    }
}
