// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What the user set for a job ({@code --set key=value}). Each reading method names a key and what holds where it is not
 * set, so that the keys a job knows are those it has asked for.
 */
public final class Settings {
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
