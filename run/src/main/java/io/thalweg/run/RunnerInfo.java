// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

/**
 * What users see of a road that topologies run on, and what it needs. The command line makes its options, its help and its messages
 * of this.
 *
 * @param name {@code flink}, as in {@code --on flink}
 * @param address what may follow the name, as in {@code --on flink=HOST:PORT}; empty if nothing may
 * @param help where it runs jobs, in a few words
 * @param options further options of {@code thalweg run}, for jobs on this road
 * @param refuses options of {@code thalweg run} that mean nothing on this road
 * @param jars beginnings of the names of the jars it needs on the class path
 * @param tunes settings that {@code thalweg tune} may try on this road, and a file for {@code --tuned} may have, by their names in such
 *     a file; none if jobs are not tuned there
 */
public record RunnerInfo(
        String name,
        String address,
        String help,
        List<Option> options,
        List<String> refuses,
        List<String> jars,
        List<String> tunes) {
    /**
     * An option that takes a value and may be repeated.
     *
     * @param name {@code --storm-conf}
     * @param value what it takes, for the help: {@code KEY=VALUE}
     * @param help what it does, in a few words
     */
    public record Option(String name, String value, String help) {}

    private static final String OPTION = "option.";

    public RunnerInfo {
        options = List.copyOf(options);
        refuses = List.copyOf(refuses);
        jars = List.copyOf(jars);
        tunes = List.copyOf(tunes);
    }

    /**
     * Of what a module's {@code part.properties} say: {@code road}, {@code address}, {@code help}, {@code refuses}, {@code jars} and
     * {@code tunes} (separated by spaces), and {@code option.NAME=VALUE HELP} for each option.
     */
    public static RunnerInfo of(Properties said) {
        String name = said.getProperty("road", "");
        return new RunnerInfo(
                name,
                said.getProperty("address", ""),
                said.getProperty("help", ""),
                said.stringPropertyNames().stream()
                        .filter(key -> key.startsWith(OPTION))
                        .sorted()
                        .map(key -> option(key.substring(OPTION.length()), said.getProperty(key)))
                        .toList(),
                words(said.getProperty("refuses", "")),
                words(said.getProperty("jars", "thalweg-" + name)),
                words(said.getProperty("tunes", "")));
    }

    /** Of the {@code part.properties} that a provider's jar has under {@code META-INF/thalweg/parts/NAME}. */
    public static RunnerInfo of(String name, ClassLoader loader) {
        String place = "META-INF/thalweg/parts/" + name + "/part.properties";
        try (InputStream in = loader.getResourceAsStream(place)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + place + " on the class path");
            }
            Properties said = new Properties();
            said.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            return of(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Option option(String name, String text) {
        String[] parts = text.split(" ", 2);
        return new Option(name, parts[0], parts.length > 1 ? parts[1] : "");
    }

    private static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.trim().split(" +"));
    }
}
