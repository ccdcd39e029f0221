// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the user set for a job ({@code --set key=value}). Each reading method names a key and what holds where it is not
 * set, so that the keys a job knows are those it has asked for.
 */
public final class Settings {
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private final Map<String, String> values;
    private final Path home;
    private final Set<String> asked = new TreeSet<>();

    /** @param home the folder of the job, where its own data lies */
    public Settings(Map<String, String> values, Path home) {
        this.values = new LinkedHashMap<>(values);
        this.home = home;
    }

    public static Settings none() {
        return new Settings(Map.of(), Path.of(""));
    }

    public boolean has(String key) {
        asked.add(key);
        return values.containsKey(key);
    }

    public String text(String key, String otherwise) {
        asked.add(key);
        return values.getOrDefault(key, otherwise);
    }

    /** Also reads {@code 10_000_000}. */
    public long number(String key, long otherwise) {
        String text = text(key, Long.toString(otherwise));
        try {
            return Long.parseLong(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new SettingException(key, text, "a whole number is expected");
        }
    }

    /** The text that is set. */
    public String required(String key) {
        if (!has(key)) {
            throw new SettingException(key, "it is needed and not set; add --set " + key + "=…");
        }
        return text(key, "");
    }

    /** A decimal number such as {@code 0.25} or {@code 1e-3}; neither infinite nor NaN. */
    public double decimal(String key, double otherwise) {
        String text = text(key, Double.toString(otherwise));
        try {
            double value = Double.parseDouble(text.strip());
            if (Double.isFinite(value) && !text.strip().matches(".*[dDfF]")) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new SettingException(key, text, "a decimal number is expected");
        }
        throw new SettingException(key, text, "a decimal number is expected");
    }

    /** {@code true} or {@code false}; set to nothing, as in {@code --set verbose=}, it is true. */
    public boolean flag(String key) {
        String text = text(key, "false");
        return switch (text) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new SettingException(key, text, "true or false is expected");
        };
    }

    /** A time such as {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h} or {@code 1d}; never negative. */
    public Duration duration(String key, Duration otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String text = text(key, "");
        Matcher parts = DURATION.matcher(text);
        if (parts.matches()) {
            try {
                long number = Long.parseLong(parts.group(1));
                return switch (parts.group(2)) {
                    case "ms" -> Duration.ofMillis(number);
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                };
            } catch (ArithmeticException | NumberFormatException e) {
                throw new SettingException(key, text, "this is longer than can be counted");
            }
        }
        throw new SettingException(key, text, "a time is expected, as 250ms, 10s, 5m, 2h or 1d");
    }

    /** Texts separated by commas, without the spaces around each; an empty text is an empty list. */
    public List<String> list(String key, List<String> otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String text = text(key, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** A file that the user names as seen from the working directory; otherwise one of the job's own folder. */
    public Path file(String key, String inJobFolder) {
        return has(key) ? Path.of(text(key, "")) : home.resolve(inJobFolder);
    }

    /** The constant whose name, in lower case, is set. */
    public <E extends Enum<E>> E choice(String key, E otherwise) {
        String text = text(key, lower(otherwise));
        E[] constants = otherwise.getDeclaringClass().getEnumConstants();
        return Arrays.stream(constants)
                .filter(constant -> lower(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new SettingException(
                        key,
                        text,
                        "one of "
                                + Arrays.stream(constants).map(Settings::lower).collect(Collectors.joining(", "))
                                + " is expected"));
    }

    /** Keys that are set and that nobody asked for. */
    public Set<String> unknown() {
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(asked);
        return unknown;
    }

    /** Keys that the job has asked for. */
    public Set<String> known() {
        return Set.copyOf(asked);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT);
    }
}
