// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.flink;

import io.thalweg.doctor.observation.OneLine;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How a job is set up, as far as Flink tells. What it does not tell is null.
 *
 * @param objectReuse chained operators hand on the records themselves
 * @param stateBackend name of its class
 * @param bufferTimeoutMs of the cluster's configuration, -1 for none: buffers are sent when they are full
 * @param bufferDebloat of the cluster's configuration
 */
record FlinkSettings(
        @Nullable Boolean objectReuse,
        @Nullable String stateBackend,
        @Nullable Long bufferTimeoutMs,
        @Nullable Boolean bufferDebloat) {
    private static final String TIMEOUT = "execution.buffer-timeout.interval";

    /** The name of the same before Flink 1.18, which is still known. */
    private static final String OLD_TIMEOUT = "execution.buffer-timeout";

    private static final String TIMEOUT_ENABLED = "execution.buffer-timeout.enabled";
    private static final String DEBLOAT = "taskmanager.network.memory.buffer-debloat.enabled";
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|min|m|h|)");

    /** @param job its path */
    static FlinkSettings of(FlinkRest rest, String job) throws IOException, InterruptedException {
        Answer execution = rest.findIfTold(job + "/config");
        Answer checkpoints = rest.findIfTold(job + "/checkpoints/config");
        Answer cluster = rest.findIfTold(job + "/jobmanager/config");
        Map<String, String> options = new HashMap<>();
        if (cluster != null) {
            cluster.elements()
                    .forEach(option -> options.put(
                            option.at("key").text(), option.at("value").text()));
        }
        String backend = checkpoints == null
                ? ""
                : OneLine.of(checkpoints.at("state_backend").text());
        return new FlinkSettings(
                execution == null
                        ? null
                        : truth(execution
                                .at("execution-config")
                                .at("object-reuse-mode")
                                .text()),
                backend.isEmpty() ? null : backend,
                timeout(options),
                truth(options.getOrDefault(DEBLOAT, "")));
    }

    private static @Nullable Long timeout(Map<String, String> options) {
        return options.getOrDefault(TIMEOUT_ENABLED, "").equals("false")
                ? Long.valueOf(-1)
                : millis(options.getOrDefault(TIMEOUT, options.getOrDefault(OLD_TIMEOUT, "")));
    }

    /** As Flink writes durations: a number, and milliseconds if no unit follows it. */
    static @Nullable Long millis(String duration) {
        Matcher parts = DURATION.matcher(duration.strip());
        if (!parts.matches()) {
            return null;
        }
        TimeUnit unit = switch (parts.group(2)) {
            case "s" -> TimeUnit.SECONDS;
            case "min", "m" -> TimeUnit.MINUTES;
            case "h" -> TimeUnit.HOURS;
            default -> TimeUnit.MILLISECONDS;
        };
        return unit.toMillis(Long.parseLong(parts.group(1)));
    }

    private static @Nullable Boolean truth(String text) {
        return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
    }
}
