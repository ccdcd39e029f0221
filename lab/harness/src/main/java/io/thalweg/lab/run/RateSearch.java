// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.result.RunResult;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The highest rate at which the 99th percentile of latency, from when records were due, stays within {@code latency-us}: by
 * halving, on a logarithmic scale, between {@code rate} and {@code rate-search}.
 */
final class RateSearch {
    /** Rates that are nearer to each other are the same. */
    private static final double NEAR = 1.1;

    /** Records a second that come out at a rate that is held: nearly all. */
    private static final double KEPT = 0.98;

    private final Map<String, String> settings;
    private final Attempt attempt;
    private final Consumer<String> say;
    private final double lowest;
    private final double highest;
    private final double limitUs;

    /** Runs the cell once with these settings. */
    interface Attempt {
        CellRun.Outcome at(Map<String, String> settings) throws IOException;
    }

    /** @throws IllegalArgumentException if a rate or the latency is no number */
    RateSearch(Map<String, String> settings, Attempt attempt, Consumer<String> say) {
        this.settings = new TreeMap<>(settings);
        this.attempt = attempt;
        this.say = say;
        lowest = number("rate", 1_000);
        highest = number("rate-search", 1_000_000);
        limitUs = number("latency-us", 10_000);
    }

    private double number(String name, double otherwise) {
        String value = settings.get(name);
        try {
            return value == null ? otherwise : Double.parseDouble(value.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a number, not " + value, e);
        }
    }

    /** The run at the highest rate that held. */
    CellRun.Outcome best() throws IOException {
        CellRun.Outcome best = at(lowest);
        RunResult first = best.result();
        if (first == null || first.reason() != null) {
            return best;
        }
        if (!held(first, lowest)) {
            return new CellRun.Outcome(
                    first.invalid(String.format(
                            Locale.ROOT, "not even %,.0f records/s hold a p99 of %,.0f us", lowest, limitUs)),
                    null,
                    Measured.NOTHING);
        }
        double low = lowest;
        double high = highest;
        while (high / low > NEAR) {
            double rate = Math.sqrt(low * high);
            CellRun.Outcome outcome = at(rate);
            RunResult result = outcome.result();
            if (result != null && held(result, rate)) {
                best = outcome;
                low = rate;
            } else {
                high = rate;
            }
        }
        return best;
    }

    private CellRun.Outcome at(double rate) throws IOException {
        settings.put("rate", Long.toString((long) rate));
        CellRun.Outcome outcome = attempt.at(settings);
        RunResult result = outcome.result();
        if (result != null) {
            say.accept(String.format(
                    Locale.ROOT,
                    "    %,.0f records/s: %s, %s",
                    rate,
                    result.latencyUs() == null
                            ? "no latency (" + result.reason() + ")"
                            : String.format(
                                    Locale.ROOT,
                                    "p99 %,.1f us",
                                    result.latencyUs().p99()),
                    held(result, rate) ? "held" : "not held"));
        }
        return outcome;
    }

    /** False for a run that was not valid. */
    private boolean held(RunResult run, double rate) {
        return run.latencyUs() != null
                && run.latencyUs().p99() <= limitUs
                && run.recordsPerS() != null
                && run.recordsPerS() >= KEPT * rate;
    }
}
