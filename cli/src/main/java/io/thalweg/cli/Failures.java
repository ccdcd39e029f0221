// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import io.thalweg.api.codec.CodecException;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.SettingException;
import io.thalweg.cli.report.Report;
import io.thalweg.job.DefinitionException;
import io.thalweg.job.JobException;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.PlainText;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Tells what went wrong in one line, and which exit code that is. */
public final class Failures {
    private Failures() {}

    /**
     * Of a command with the option {@code --debug}.
     *
     * @param debug true to print the stack trace too
     */
    public static int report(Throwable failure, boolean debug) {
        int code = report(failure, describe(failure));
        if (debug) {
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            Report.standardError().print(PlainText.lines(trace.toString()));
        }
        return code;
    }

    /** Of a command without that option. */
    static int report(Throwable failure) {
        return report(failure, describe(failure, ""));
    }

    private static int report(Throwable failure, String description) {
        PrintStream error = Report.standardError();
        if (failure instanceof JobException job) {
            error.print(PlainText.lines(job.details()));
        }
        error.println("thalweg: " + description);
        return failure instanceof JobException
                        || failure instanceof UsageException
                        || failure instanceof SettingException
                        || failure instanceof TopologyException
                        || failure instanceof CodecException
                        || failure instanceof DefinitionException
                ? ExitCodes.USAGE
                : ExitCodes.FAILED;
    }

    /** The message without line breaks and terminal escapes; the name of the class if there is none. */
    static String oneLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : PlainText.line(message);
    }

    static String describe(Throwable failure) {
        return describe(failure, " (--debug shows where)");
    }

    private static String describe(Throwable failure, String where) {
        boolean forTheUser = failure instanceof JobException
                || failure instanceof UsageException
                || failure instanceof SettingException
                || failure instanceof TopologyException
                || failure instanceof CodecException
                || failure instanceof ConnectorException
                || failure instanceof JobFailedException
                || failure instanceof DefinitionException;
        if (!forTheUser && isOutOfMemory(failure)) {
            return "out of memory: the heap of " + Runtime.getRuntime().maxMemory() / (1024 * 1024)
                    + " MiB is full; THALWEG_OPTS=-Xmx8g sets it to 8 GiB";
        }
        return forTheUser ? oneLine(failure) : failure.getClass().getName() + ": " + oneLine(failure) + where;
    }

    /** Also by a cause: the JVM throws one object again and again, which a try statement then cannot suppress in itself. */
    private static boolean isOutOfMemory(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }
}
