// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import io.thalweg.run.StateLimit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Makes the one-line message of a failure. */
final class FailureText {
    private static final int MOST_NAMED = 3;
    private static final long KB = 1_000;
    private static final long MB = 1_000_000;

    private FailureText() {}

    /** @param state what operators kept, the largest first */
    static JobFailedException of(String topology, String task, Throwable thrown, List<StateStats> state) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof JobFailedException reported) {
                return reported;
            }
            if (each instanceof ConnectorException connector) {
                return new JobFailedException(String.valueOf(connector.getMessage()), thrown);
            }
            if (each instanceof OutOfMemoryError) {
                long mb = Runtime.getRuntime().maxMemory() >> 20;
                return new JobFailedException(
                        "topology '" + topology + "'" + inTask(task) + ": out of memory with a heap of " + mb
                                + " MB (" + each.getMessage() + "); "
                                + (state.isEmpty() ? "" : describe(state) + "; ")
                                + "give it more with THALWEG_OPTS=-Xmx…, or keep"
                                + " less: shorter windows, fewer keys",
                        thrown);
            }
        }
        String where = "topology '" + topology + "'";
        Throwable cause = thrown;
        if (thrown instanceof OperatorException operator) {
            where += ", operator '" + operator.operator() + "'" + inTask(task);
            if (!operator.split().isEmpty()) {
                where += ", split '" + operator.split() + "', offset " + operator.offset();
            }
            cause = operator.thrown();
        } else {
            where += inTask(task);
        }
        String what =
                cause instanceof NullValueException ? String.valueOf(cause.getMessage()) : PlainText.thrown(cause);
        return new JobFailedException(where + ": " + what + missing(cause), thrown);
    }

    /** @param state what operators keep, the largest first */
    static JobFailedException ofState(String topology, StateLimit limit, List<StateStats> state) {
        long bytes = state.stream().mapToLong(StateStats::bytes).sum();
        return new JobFailedException(
                "topology '" + topology + "': the state of its operators takes about " + size(bytes)
                        + ", and the limit is " + size(limit.bytes()) + ": " + describe(state)
                        + "; keep less (shorter windows, fewer keys, a time to live), give it a larger heap with THALWEG_OPTS=-Xmx…, or"
                        + " set --state-limit",
                null);
    }

    /** {@code operator 'by shop' keeps 12,345 keys in about 3 MB}, and the same of those that keep less. */
    private static String describe(List<StateStats> state) {
        return state.stream()
                .limit(MOST_NAMED)
                .map(each -> String.format(
                        Locale.ROOT,
                        "operator '%s' keeps %,d key%s in about %s",
                        each.operator(),
                        each.keys(),
                        each.keys() == 1 ? "" : "s",
                        size(each.bytes())))
                .collect(Collectors.joining(", "));
    }

    private static String size(long bytes) {
        return bytes < MB
                ? String.format(Locale.ROOT, "%,d kB", bytes / KB)
                : String.format(Locale.ROOT, "%,d MB", bytes / MB);
    }

    /** Empty if no task was running. */
    private static String inTask(String task) {
        return task.isEmpty() ? "" : ", task '" + task + "'";
    }

    private static String missing(Throwable cause) {
        boolean missing = cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException;
        return missing ? "; give the job all jars that it needs" : "";
    }
}
