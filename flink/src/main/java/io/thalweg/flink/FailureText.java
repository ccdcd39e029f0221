// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.flink.report.StageFailure;
import io.thalweg.run.JobFailedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.SerializedThrowable;
import org.jspecify.annotations.Nullable;

/** Makes a one-line message of a failure in Flink: where, what, and what to try. */
final class FailureText {
    /** Flink repeats the name of an exception before its message. */
    private static final Pattern MISSING_CLASS = Pattern.compile("(?:ClassNotFoundException|NoClassDefFoundError): '?"
            + "(?!java\\.lang\\.(?:ClassNotFoundException|NoClassDefFoundError))([\\w.$/]+)");

    /** Java's message for a lambda whose class is missing. */
    private static final Pattern LOST_LAMBDA = Pattern.compile(
            "ClassCastException: cannot assign instance of java\\.lang\\.invoke\\.SerializedLambda to field"
                    + "|Cannot cast java\\.lang\\.invoke\\.SerializedLambda");

    private static final Pattern NO_SLOTS = Pattern.compile("NoResourceAvailableException");

    private static final String UNKNOWN = "Flink does not know the job any more";

    private FailureText() {}

    static JobFailedException of(String topology, @Nullable Throwable failure) {
        String where = "topology '" + topology + "': ";
        if (failure == null) {
            return new JobFailedException(where + "it failed, and Flink does not say why; see the cluster's log", null);
        }
        StageFailure reported = reported(failure);
        if (reported != null) {
            return new JobFailedException(String.valueOf(reported.getMessage()), failure);
        }
        String all = ExceptionUtils.stringifyException(failure);
        Matcher missing = MISSING_CLASS.matcher(all);
        if (missing.find()) {
            return new JobFailedException(
                    where + "the cluster has no class " + missing.group(1).replace('/', '.')
                            + "; it must be in the job's jar, or in the cluster's lib folder",
                    failure);
        }
        if (LOST_LAMBDA.matcher(all).find()) {
            return new JobFailedException(
                    where
                            + "a lambda of the job is of a class that the cluster does not have; all classes of the job must be in its"
                            + " jar, or in the cluster's lib folder",
                    failure);
        }
        if (NO_SLOTS.matcher(all).find()) {
            return new JobFailedException(
                    where + "the cluster has too few free slots for it; cancel other jobs, add TaskManagers, or lower"
                            + " --parallelism",
                    failure);
        }
        if (Answer.isUnknown(failure)) {
            return new JobFailedException(
                    where + UNKNOWN
                            + ": its JobManager was restarted, and the job has ended with it, or the job has ended"
                            + " so long ago that Flink has forgotten how. Look at what it has written; one that takes"
                            + " checkpoints continues from its last one with --restore latest",
                    failure);
        }
        return new JobFailedException(where + words(failure), failure);
    }

    /**
     * Finds our exception among the causes; Flink's own search fails if a deserialized exception has a cause that is
     * not serialized.
     */
    private static @Nullable StageFailure reported(@Nullable Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof StageFailure stage) {
                return stage;
            }
            if (each instanceof SerializedThrowable packed) {
                Throwable unpacked = packed.deserializeError(FailureText.class.getClassLoader());
                StageFailure inside = unpacked == packed ? null : reported(unpacked);
                if (inside != null) {
                    return inside;
                }
            }
        }
        return null;
    }

    /** True if nothing failed but a checkpoint or savepoint, and that for no reason of the job's own. */
    static boolean isOfCheckpoint(Throwable failure) {
        Throwable cause = innermost(failure);
        String name = cause instanceof SerializedThrowable packed
                ? packed.getOriginalErrorClassName()
                : cause.getClass().getName();
        return name.equals(CheckpointException.class.getName());
    }

    private static Throwable innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The innermost cause, in one line. */
    static String words(Throwable failure) {
        if (Answer.isUnknown(failure)) {
            return UNKNOWN;
        }
        Throwable cause = innermost(failure);
        String text = cause instanceof SerializedThrowable ? String.valueOf(cause.getMessage()) : cause.toString();
        return text.strip()
                .replaceAll("\\s*\\R.*", "")
                .replaceFirst("^" + Pattern.quote(ConnectorException.class.getName()) + ": ", "");
    }
}
