// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A password or token that appears in no plan, message or log. It is read where a task runs, when the task opens; only {@link #of} is
 * serialized with its value.
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

    /** The secret itself. */
    public static Secret of(String value) {
        return new Secret(From.VALUE, value);
    }

    /** The value of a variable of the environment. */
    public static Secret environment(String name) {
        return new Secret(From.ENVIRONMENT, name);
    }

    /** The first line of a file. */
    public static Secret file(String path) {
        return new Secret(From.FILE, path);
    }

    /** @throws ConnectorException if the variable is not set, or the file cannot be read or is empty */
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

    /** Where it comes from, never what it is. */
    @Override
    public String toString() {
        return switch (from) {
            case VALUE -> "(hidden)";
            case ENVIRONMENT -> "(from the environment: " + text + ")";
            case FILE -> "(from " + text + ")";
        };
    }
}
