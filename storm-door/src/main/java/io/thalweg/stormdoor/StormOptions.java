// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
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

    private StormOptions() {}

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
