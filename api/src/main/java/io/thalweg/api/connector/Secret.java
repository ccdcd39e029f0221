// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A password or token that never appears in a plan, message or log. It is read where a task runs, when the task opens;
 * only {@link #of} is serialized with its value, and so sent to a cluster.
 *
 * <pre>{@code Jdbc.upsert(url, "quakes", Row.class).user("etl").password(Secret.environment("DB_PASSWORD"))}</pre>
 */
public final class Secret implements Serializable {
    private static final long serialVersionUID = 1L;

    private enum From {
        VALUE,
        ENVIRONMENT,
        FILE
    }

    private final From from;
    private final String text;

    private Secret(From from, String text) {
        this.from = from;
        this.text = text;
    }

    /**
     * A secret whose value is given here. Prefer {@link #environment} or {@link #file} if the job runs on a cluster.
     */
    public static Secret of(String value) {
        return new Secret(From.VALUE, value);
    }

    /** The value of an environment variable of the process that runs the task. */
    public static Secret environment(String name) {
        return new Secret(From.ENVIRONMENT, name);
    }

    /** The first line of a file on the machine that runs the task. */
    public static Secret file(String path) {
        return new Secret(From.FILE, path);
    }

    /**
     * The secret itself.
     *
     * @return not empty
     * @throws ConnectorException if the variable is not set, or the file cannot be read or is empty
     */
    public String read() {
        return switch (from) {
            case VALUE -> text;
            case ENVIRONMENT -> {
                String value = System.getenv(text);
                if (value == null) {
                    throw new ConnectorException(
                            "a secret is to come from the environment, but " + text + " is not set; export " + text);
                }
                yield value;
            }
            case FILE -> ofFile();
        };
    }

    private String ofFile() {
        try {
            return Files.readString(Path.of(text))
                    .lines()
                    .findFirst()
                    .orElseThrow(
                            () -> new ConnectorException("a secret is to come from " + text + ", but it is empty"));
        } catch (IOException e) {
            throw new ConnectorException(
                    "a secret is to come from " + text + ", but it cannot be read: "
                            + e.getClass().getSimpleName(),
                    null);
        }
    }

    /** Where the secret comes from, never its value. */
    @Override
    public String toString() {
        return switch (from) {
            case VALUE -> "(hidden)";
            case ENVIRONMENT -> "(from the environment: " + text + ")";
            case FILE -> "(from " + text + ")";
        };
    }
}
