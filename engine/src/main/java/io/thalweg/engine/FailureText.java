// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.OperatorException;

/** The one line that tells of a failure. */
final class FailureText {
    private FailureText() {}

    static JobFailedException of(String topology, String task, Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof JobFailedException told) {
                return told;
            }
            if (each instanceof ConnectorException connector) {
                return new JobFailedException(String.valueOf(connector.getMessage()), thrown);
            }
            if (each instanceof OutOfMemoryError) {
                long mb = Runtime.getRuntime().maxMemory() >> 20;
                return new JobFailedException(
                        "topology '" + topology + "'" + inTask(task) + ": out of memory with a heap of " + mb
                                + " MB (" + each.getMessage() + "); give it more with THALWEG_OPTS=-Xmx…, or keep"
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
        String what = cause instanceof NullValueException ? String.valueOf(cause.getMessage()) : cause.toString();
        return new JobFailedException(where + ": " + what + missing(cause), thrown);
    }

    /** Nothing if it failed in no task's turn. */
    private static String inTask(String task) {
        return task.isEmpty() ? "" : ", task '" + task + "'";
    }

    private static String missing(Throwable cause) {
        boolean missing = cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException;
        return missing ? "; give the job all jars that it needs" : "";
    }
}
