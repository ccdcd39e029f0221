// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How long a job over files took: from the start of its process to its end, and without that, both as medians of its valid runs; and
 * how many times as long Thalweg took for the same.
 *
 * @param ours Thalweg's cell of the same case; null if it has no figure, or if it is this one
 */
record FileTimes(CellResult cell, @Nullable CellResult ours) {
    /** Of all cells with such a job that have a figure. */
    static List<FileTimes> of(Results results) {
        List<FileTimes> all = new ArrayList<>();
        for (CellResult cell : results.cells()) {
            if (isOfFiles(cell) && cell.figure() != null) {
                CellResult ours = results.cells().stream()
                        .filter(other -> other.engine().equals("thalweg")
                                && !cell.engine().equals("thalweg"))
                        .filter(other -> other.study().equals(cell.study())
                                && other.caseName().equals(cell.caseName())
                                && other.figure() != null)
                        .findFirst()
                        .orElse(null);
                all.add(new FileTimes(cell, ours));
            }
        }
        return all;
    }

    private static boolean isOfFiles(CellResult cell) {
        return "files".equals(cell.settings().get("workload"));
    }

    double wholeS() {
        return median(sorted(cell, FileTimes::whole));
    }

    double jobS() {
        return median(sorted(cell, RunResult::measuredS));
    }

    private static double whole(RunResult run) {
        return run.warmUpS() + run.measuredS();
    }

    /** Of the valid runs. */
    private static double[] sorted(CellResult cell, ToDoubleFunction<RunResult> seconds) {
        return cell.runs().stream()
                .filter(run -> run.reason() == null)
                .mapToDouble(seconds)
                .sorted()
                .toArray();
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** {@code files.csv-group threads=1, duckdb 2.0.1: 1.01 s from start to end (0.99–1.41), 0.91 s without start, 1.2 s of CPU; Thalweg took 1.61 times as long, 1.32 times without start}. */
    String line() {
        double[] whole = sorted(cell, FileTimes::whole);
        double records = cell.runs().stream().mapToLong(RunResult::sent).max().orElse(0);
        Double cpu = cell.cpuSPerMillion();
        String line = cell.study() + "." + cell.caseName() + ", " + cell.engine() + " " + cell.version() + ": "
                + Figures.digits(wholeS()) + " s from start to end"
                + (whole.length == 1
                        ? ""
                        : " (" + Figures.digits(whole[0]) + "–" + Figures.digits(whole[whole.length - 1]) + ")")
                + ", " + Figures.digits(jobS()) + " s without start"
                + (cpu == null ? "" : ", " + Figures.digits(cpu * records / 1e6) + " s of CPU");
        if (ours == null) {
            return line;
        }
        FileTimes our = new FileTimes(ours, null);
        return line + "; Thalweg took " + Figures.digits(our.wholeS() / wholeS()) + " times as long, "
                + Figures.digits(our.jobS() / jobS()) + " times without start";
    }
}
