// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.run.PlainText;
import org.jspecify.annotations.Nullable;

/** A failure of a task. Its message is one line for the user: topology, operator, task, where in the input, what. */
public final class StageFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StageFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Describes an exception: its message, with the name of its class unless it is made for users. */
    public static String words(Throwable thrown) {
        String message = thrown.getMessage();
        boolean forUsers = thrown instanceof ConnectorException || thrown instanceof NullValueException;
        String text = forUsers && message != null ? message : PlainText.thrown(thrown);
        boolean missing = thrown instanceof NoClassDefFoundError || thrown instanceof ClassNotFoundException;
        String help = missing ? "; this class must be in the job's jar, or in the cluster's lib folder" : "";
        return text.strip().replaceAll("\\s*\\R\\s*", " ") + help;
    }
}
