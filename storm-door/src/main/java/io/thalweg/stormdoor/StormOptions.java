// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.validation.ConfigValidation;
import org.apache.storm.validation.ConfigValidationAnnotations.Password;
import org.jspecify.annotations.Nullable;

/** The options of a topology, as Storm's client and Nimbus check them where it is submitted. */
public final class StormOptions {
    private static final int MOST_SHOWN = 100;

    /** Storm's messages have the name of a constant where the option's should be, and may have the next word right behind it. */
    private static final Pattern CONSTANT =
            Pattern.compile("(?:Field )?\\b([A-Z][A-Z0-9_]{5,})(?![A-Z0-9_])( |(?=[a-z]))?");

    /** How those begin that change what Storm's client or a worker does, and nothing here. What only clusters heed is not among them. */
    private static final List<String> WITHOUT_EFFECT = List.of(
            "storm.topology.submission.notifier.", // StormSubmitter heeds it, and it has not been here
            "topology.auto-credentials",
            "topology.backpressure.",
            "topology.batch.flush.",
            "topology.bolt.wait.",
            "topology.classpath",
            "topology.error.throttle.",
            "topology.event", // the event logger
            "topology.executor.",
            "topology.logging.config",
            "topology.max.error.report.",
            "topology.sleep.spout.wait.",
            "topology.spout.",
            "topology.testing.",
            "topology.transfer.",
            "topology.worker.childopts",
            "topology.worker.gc.childopts");

    private StormOptions() {}

    static boolean hasNoEffect(String option) {
        return WITHOUT_EFFECT.stream().anyMatch(option::startsWith);
    }

    /** Those that have another value than by default, and no effect. */
    static List<String> withoutEffect(Map<String, Object> options, Map<String, Object> defaults) {
        return options.keySet().stream()
                .filter(each -> each != null && hasNoEffect(each)) // Storm takes a name that is null
                .filter(each -> options.get(each) != null && !sameText(options.get(each), defaults.get(each)))
                .sorted()
                .toList();
    }

    /** A number may be of another type. */
    private static boolean sameText(@Nullable Object one, @Nullable Object other) {
        return String.valueOf(one).equals(String.valueOf(other));
    }

    /** Why blobs cannot be had, and what to do. */
    public static String noBlobs(Collection<?> names) {
        return Config.TOPOLOGY_BLOBSTORE_MAP + " names " + names
                + ", and there is no blob store here; put the files into"
                + " the folder where the topology is started, under their local names, and leave the option out, or set it to {}";
    }

    /**
     * What Storm refuses in options.
     *
     * @param options some or all of a topology's; those that Storm does not know may have any value
     * @return a line that names the first such option, what Storm expects, and its value; null if there is none
     */
    public static @Nullable String problem(Map<String, Object> options) {
        for (Field field : Config.class.getDeclaredFields()) {
            String option = option(field);
            if (option != null && options.containsKey(option) && ConfigValidation.isFieldAllowed(field)) {
                try {
                    ConfigValidation.validateField(field, options);
                } catch (IllegalArgumentException e) {
                    return said(String.valueOf(e.getMessage())) + "; it is " + shown(field, options.get(option));
                } catch (RuntimeException e) { // some validators cast what they are given
                    return option + " cannot be read by Storm: " + e + "; it is " + shown(field, options.get(option));
                }
            }
        }
        return problemOfDrpc(options.get(DrpcCalls.TIMEOUT_SECS));
    }

    /** Of the options of Storm's daemons this one is heeded here. */
    private static @Nullable String problemOfDrpc(@Nullable Object timeout) {
        try {
            new ConfigValidation.IntegerValidator().validateField(DrpcCalls.TIMEOUT_SECS, timeout);
            new ConfigValidation.PositiveNumberValidator().validateField(DrpcCalls.TIMEOUT_SECS, timeout);
            return null;
        } catch (IllegalArgumentException e) {
            return said(String.valueOf(e.getMessage())) + "; it is " + shown(timeout);
        }
    }

    /** What Storm says of an option that it refuses, in one line with the option's name and without its value. */
    public static String said(String ofStorm) {
        String line = ofStorm.replaceAll("\\s+", " ")
                .replaceFirst("^(null(?=Each )|Field (?=[a-z]))", "")
                .replaceFirst("(\\. Object: .*|! Actual value: .*|\\. \\([^()]*\\)|\\.)$", "")
                .replaceAll("(class )?\\bjava\\.\\w+\\.(\\w+)", "$2");
        return CONSTANT.matcher(line).replaceAll(found -> {
            String option = optionOf(found.group(1));
            return Matcher.quoteReplacement(
                    option == null ? found.group() : option + (found.group(2) == null ? "" : " "));
        });
    }

    private static @Nullable String optionOf(String constant) {
        try {
            return option(Config.class.getField(constant));
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    private static @Nullable String option(Field field) {
        try {
            return Modifier.isPublic(field.getModifiers()) && field.get(null) instanceof String name ? name : null;
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the options of Storm are not as those of 2.8", e);
        }
    }

    private static String shown(Field field, @Nullable Object value) {
        return field.isAnnotationPresent(Password.class) ? "not shown" : shown(value);
    }

    private static String shown(@Nullable Object value) {
        String text = value instanceof String ? "\"" + value + "\"" : Objects.toString(value);
        text = text.replaceAll("\\p{Cntrl}", " ");
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }
}
