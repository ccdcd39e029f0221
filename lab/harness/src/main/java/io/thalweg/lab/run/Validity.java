// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Delivery;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.result.RunResult;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A run whose output is wrong has no speed. */
final class Validity {
    private Validity() {}

    /** Why what came out is not what must; null if it is, or if the lab cannot know, as of a user's own topology. */
    static @Nullable String reason(Cell cell, Sample total) {
        if (cell.workload() == Cell.Workload.TOPOLOGY) {
            return null;
        }
        if (cell.records() > 0 && total.sent() != cell.records()) {
            return total.sent() + " records were sent, and not " + cell.records();
        }
        if (total.damaged() > 0) {
            return total.damaged() + " records came out damaged";
        }
        if (total.received() < total.sent()) {
            return "lost " + (total.sent() - total.received()) + " of " + total.sent() + " records";
        }
        boolean repeats = cell.guarantee() == Cell.Guarantee.ACKED || cell.guarantee() == Cell.Guarantee.AT_LEAST_ONCE;
        if (total.received() > total.sent()) {
            return repeats ? null : (total.received() - total.sent()) + " records too many came out of " + total.sent();
        }
        return total.sumReceived() == total.sumSent() ? null : "the numbers of the records that came out do not add up";
    }

    /**
     * Why a run in which a process was killed does not count: what came out is not what the guarantee promises, or its rate did not
     * come back; null if it does.
     */
    static @Nullable String reason(Cell cell, Sample total, Delivery delivery, Recovery recovery) {
        if (total.damaged() > 0) {
            return total.damaged() + " records came out damaged";
        }
        String broken = delivery.problem(cell);
        return broken == null ? recovery.problem() : broken;
    }

    /** Why sources and sinks were not in the processes that the cell has them in; null if they were. */
    static @Nullable String misplaced(Cell cell, Collection<Sample> processes) {
        boolean together = cell.placement() == Cell.Placement.BETWEEN;
        if (cell.crossings() == 0
                || processes.stream().allMatch(each -> each.sent() == 0 || each.received() > 0 == together)) {
            return null;
        }
        return "sources and sinks were in " + (together ? "two processes" : "one process") + ", and not in "
                + (together ? "one" : "two") + " as placement " + cell.value("placement") + " has it";
    }

    /** Why runs of a user's own topology cannot all be right; null if they read and wrote equally many records, and the same ones. */
    static @Nullable String disagreement(List<RunResult> runs) {
        List<RunResult> valid =
                runs.stream().filter(each -> each.reason() == null).toList();
        for (RunResult each : valid) {
            RunResult first = valid.get(0);
            if (each.sent() != first.sent() || each.received() != first.received()) {
                return "its runs disagree: one read " + first.sent() + " records and wrote " + first.received()
                        + ", another read " + each.sent() + " and wrote " + each.received();
            }
            String different = difference(first, each, "one", "another");
            if (different != null) {
                return "its runs disagree: " + different;
            }
        }
        return null;
    }

    /**
     * How a run of a user's own topology put out other records than one of another engine; null if it put out the same, or nobody knows.
     *
     * @param name of the other engine
     */
    static @Nullable String difference(RunResult run, RunResult other, String name) {
        String different = difference(run, other, "it", name);
        return different == null ? null : "it does not put out the same as " + name + ": " + different;
    }

    private static @Nullable String difference(RunResult one, RunResult other, String nameOfOne, String nameOfOther) {
        if (one.job() == null || other.job() == null) {
            return null;
        }
        List<RunResult.Output> outputs = one.job().outputs();
        List<RunResult.Output> others = other.job().outputs();
        for (int i = 0; i < outputs.size() && i < others.size(); i++) {
            RunResult.Output each = outputs.get(i);
            RunResult.Output its = others.get(i);
            if (each.records() != its.records()) {
                return String.format(
                        Locale.ROOT,
                        "%s has %,d records for %s, %s %,d",
                        nameOfOne,
                        each.records(),
                        each.name(),
                        nameOfOther,
                        its.records());
            }
            if (!each.equals(its)) {
                return String.format(
                        Locale.ROOT, "as many records for %s (%,d), but other ones", each.name(), each.records());
            }
        }
        return null;
    }
}
