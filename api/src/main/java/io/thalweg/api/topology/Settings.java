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
 * The settings of a job, as the user passed them with {@code --set key=value}. Each reading method takes a key and a
 * default for when the key is not set. The settings remember which keys were read: {@code thalweg run} rejects a key
 * that the job never reads, so a typo does not go unnoticed.
 *
 * <pre>{@code
 * int parallelism = (int) settings.number("parallelism", 4);
 * Duration gap = settings.duration("gap", Duration.ofMinutes(5));
 * Path in = settings.file("in", "quakes.jsonl"); // next to the job unless --set in=FILE names another
 * }</pre>
 *
 * <p>Not thread-safe. No value is ever null.
 */
public final class Settings {
    private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|s|m|h|d)");

    private final Map<String, String> values;
    private final Path home;
    private final Set<String> asked = new TreeSet<>();

    /**
     * Settings with the given values.
     *
     * @param values by key; copied
     * @param home folder of the job, which {@link #file} resolves defaults against
     */
    public Settings(Map<String, String> values, Path home) {
        this.values = new LinkedHashMap<>(values);
        this.home = home;
    }

    /** No settings: every reading method returns its default. For tests and embedded use. */
    public static Settings none() {
        return new Settings(Map.of(), Path.of(""));
    }

    /** Whether the user set this key. Counts as reading it. */
    public boolean has(String key) {
        asked.add(key);
        return values.containsKey(key);
    }

    /**
     * The value as it is.
     *
     * @param otherwise returned if the key is not set
     */
    public String text(String key, String otherwise) {
        asked.add(key);
        return values.getOrDefault(key, otherwise);
    }

    /**
     * A whole number; underscores are allowed, as in {@code 10_000_000}.
     *
     * @param otherwise returned if the key is not set
     * @throws SettingException if the value is not a whole number in the range of {@code long}
     */
    public long number(String key, long otherwise) {
        String text = text(key, Long.toString(otherwise));
        try {
            return Long.parseLong(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new SettingException(key, text, "a whole number is expected");
        }
    }

    /**
     * The value of a setting that has no default.
     *
     * @throws SettingException if the key is not set
     */
    public String required(String key) {
        if (!has(key)) {
            throw new SettingException(key, "it is needed and not set; add --set " + key + "=…");
        }
        return text(key, "");
    }

    /**
     * A decimal number such as {@code 0.25} or {@code 1e-3}.
     *
     * @param otherwise returned if the key is not set
     * @return neither infinite nor NaN
     * @throws SettingException if the value is not such a number
     */
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

    /**
     * A switch: {@code true} or {@code false}. An empty value, as in {@code --set verbose=}, means true; a key that is
     * not set means false.
     *
     * @throws SettingException if the value is anything else
     */
    public boolean flag(String key) {
        String text = text(key, "false");
        return switch (text) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw new SettingException(key, text, "true or false is expected");
        };
    }

    /**
     * A duration such as {@code 250ms}, {@code 10s}, {@code 5m}, {@code 2h} or {@code 1d}.
     *
     * @param otherwise returned if the key is not set
     * @return never negative, unless {@code otherwise} is
     * @throws SettingException if the value is not a duration of this form
     */
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

    /**
     * A list of texts separated by commas, each without surrounding spaces. An empty value is an empty list.
     *
     * @param otherwise returned if the key is not set
     */
    public List<String> list(String key, List<String> otherwise) {
        if (!has(key)) {
            return otherwise;
        }
        String text = text(key, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /**
     * A path. One that the user sets is relative to the working directory; the default is relative to the folder of the
     * job.
     *
     * @param inJobFolder the default, relative to the folder of the job
     * @return the path; the file need not exist
     */
    public Path file(String key, String inJobFolder) {
        return has(key) ? Path.of(text(key, "")) : home.resolve(inJobFolder);
    }

    /**
     * An enum constant, which the user sets by its name in lower case.
     *
     * @param otherwise returned if the key is not set; also says which enum it is
     * @throws SettingException if no constant has that name; the message lists those that exist
     */
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

    /**
     * All settings whose keys begin alike, such as those of a client, which the job does not know one by one: with
     * {@code --set kafka.acks=1}, {@code startingWith("kafka.")} is {@code {acks=1}}. Counts as reading them.
     *
     * @param prefix what their keys begin with; one that is nothing else is left out
     * @return by what is behind the prefix, in the order in which they were set; may be empty
     */
    public Map<String, String> startingWith(String prefix) {
        asked.add(prefix + "…");
        Map<String, String> found = new LinkedHashMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix) && key.length() > prefix.length()) {
                asked.add(key);
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /**
     * Keys that are set but were never read, most likely typos.
     *
     * @return in alphabetical order
     */
    public Set<String> unknown() {
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(asked);
        return unknown;
    }

    /** Keys that were read so far; with {@code …} behind it, what keys may begin with. */
    public Set<String> known() {
        return Set.copyOf(asked);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(java.util.Locale.ROOT);
    }
}
