// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a job of Flink runs.
 *
 * @param hostAndPort of the REST endpoint
 * @param job its name or id; null for the only one
 */
public record FlinkAddress(String hostAndPort, @Nullable String job) {
    /** What an address of a cluster begins with. */
    public static final String PREFIX = "flink=";

    private static final Pattern FORM =
            Pattern.compile("flink=((?:\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5}))(?:/(.*))?");

    private static final int LAST_PORT = 65_535;

    /** @throws IllegalArgumentException if it is no {@code flink=HOST:PORT[/JOB]}; the message says so */
    public static FlinkAddress of(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || port(form) < 1 || port(form) > LAST_PORT) {
            throw new IllegalArgumentException("a job of Flink is flink=HOST:PORT or flink=HOST:PORT/JOB, not " + text);
        }
        String job = form.group(3);
        return new FlinkAddress(form.group(1), job == null || job.isEmpty() ? null : job);
    }

    private static int port(Matcher form) {
        return Integer.parseInt(form.group(2));
    }
}
