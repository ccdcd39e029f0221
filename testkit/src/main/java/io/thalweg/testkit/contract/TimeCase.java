// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import io.thalweg.api.window.WindowSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One line of {@code time-rules.txt}, which says how to read it.
 *
 * @param splits what each split holds
 * @param results what the windows must come to, in any order
 */
record TimeCase(
        String name,
        WindowSpec window,
        long boundMs,
        long allowedLatenessMs,
        List<List<Stamped>> splits,
        List<Row> results,
        List<Stamped> late,
        long bad) {
    /** A record of a case. */
    record Stamped(String key, @Nullable Long time) {}

    /** A window of a case; times in order. */
    record Row(String key, long start, long end, List<Long> times) {}

    private static final Pattern RECORD = Pattern.compile("([a-z]?)(x|-?\\d+)");
    private static final Pattern ROW = Pattern.compile("([a-z]?) ?\\[(-inf|-?\\d+),(inf|-?\\d+)\\) (.*)");

    static List<TimeCase> all() {
        try (InputStream in = Objects.requireNonNull(TimeCase.class.getResourceAsStream("time-rules.txt"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(TimeCase::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TimeCase parse(String line) {
        List<String> columns = new ArrayList<>(
                Arrays.stream(line.split("\\|")).map(String::strip).toList());
        while (columns.size() < 8) {
            columns.add("");
        }
        String bad = columns.get(7);
        return new TimeCase(
                columns.get(0),
                window(columns.get(1)),
                Long.parseLong(columns.get(2)),
                Long.parseLong(columns.get(3)),
                Arrays.stream((columns.get(4) + " ").split("/"))
                        .map(TimeCase::records)
                        .toList(),
                parts(columns.get(5), ";").stream().map(TimeCase::row).toList(),
                records(columns.get(6)),
                bad.isEmpty() ? 0 : Long.parseLong(bad));
    }

    private static WindowSpec window(String text) {
        String[] words = text.split(" ");
        return switch (words[0]) {
            case "tumbling" -> new WindowSpec.Aligned(Long.parseLong(words[1]), Long.parseLong(words[1]));
            case "sliding" -> new WindowSpec.Aligned(Long.parseLong(words[1]), Long.parseLong(words[2]));
            case "session" -> new WindowSpec.Session(Long.parseLong(words[1]));
            case "whole" -> new WindowSpec.Whole();
            default -> throw new IllegalArgumentException("no window is called " + text);
        };
    }

    private static Row row(String text) {
        Matcher row = matched(ROW, text);
        return new Row(
                key(row.group(1)),
                bound(row.group(2)),
                bound(row.group(3)),
                parts(row.group(4), " ").stream().map(Long::parseLong).sorted().toList());
    }

    private static long bound(String text) {
        return text.equals("-inf") ? Long.MIN_VALUE : text.equals("inf") ? Long.MAX_VALUE : Long.parseLong(text);
    }

    private static List<Stamped> records(String text) {
        List<Stamped> records = new ArrayList<>();
        for (String part : parts(text, " ")) {
            Matcher record = matched(RECORD, part);
            String time = record.group(2);
            records.add(new Stamped(key(record.group(1)), time.equals("x") ? null : Long.valueOf(time)));
        }
        return records;
    }

    private static String key(String text) {
        return text.isEmpty() ? "a" : text;
    }

    private static Matcher matched(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not of the form " + pattern);
        }
        return matcher;
    }

    private static List<String> parts(String text, String separator) {
        return Arrays.stream(text.split(separator))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
