// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A setting of cells: what it may be, and what it is where a cell does not say. A user's own are named {@code set.KEY} instead. */
public final class Setting {
    private static final Map<String, Setting> ALL = new TreeMap<>();

    /** As many letters may be wrong in a name for it to be suggested. */
    private static final int NEAR = 3;

    /** Engines whose options a cell may set. */
    private static final List<String> ENGINES = List.of("thalweg", "flink", "storm", "jet");

    private static final List<String> MANY = List.of("flink", "storm");

    private enum Kind {
        NUMBER,
        WORD,
        TEXT
    }

    private final String name;
    private final Kind kind;
    private final String otherwise;
    private final List<String> words;

    /** Of a number. */
    private final long least;

    private Setting(String name, Kind kind, String otherwise, List<String> words, long least) {
        this.name = name;
        this.kind = kind;
        this.otherwise = otherwise;
        this.words = words;
        this.least = least;
    }

    static {
        // of every engine
        words("workload", Cell.Workload.values());
        text("variant", "default");
        words("guarantee", Cell.Guarantee.values());
        number("processes", "1");
        words("placement", Cell.Placement.values());
        positive("sources", "1");
        positive("relays", "1");
        positive("tasks", "");
        number("layers", "1");
        positive("sinks", "1");
        number("payload", "0");
        words("stamps", "false", "true");
        words("record", "new", "reused");
        number("max-pending", "0");
        positive("ack-timeout-s", "30");
        positive("checkpoint-ms", "");
        number("rate", "0");
        positive("rate-search", "");
        positive("latency-us", "");
        words("pushed", "false", "true");
        words("waiting", Cell.Waiting.values());
        number("records", "0");
        words("from", "generated", "kafka");
        words("processer", "builtin", "python");
        words("child", "own", "storm.py", "lean", "thalweg", "arrow");
        text("heap", "");
        number("hoard", "0");
        number("stall-ms", "0");
        number("slowdown-percent", "0");
        words("live-heap", "false", "true");
        words("check", "false", "true");
        words("profile", "false", "true");
        words("kill", "none", "worker");
        // of some workloads
        positive("dimensions", "2");
        positive("measures", "2");
        positive("cardinality", "10000");
        positive("window", "1000000");
        number("emission-s", "0");
        words("counted", "sinks", "sources");
        number("measure-s", "0");
        words("size", "small", "typical", "worst");
        words("reading", "best", "same");
        words("operation", Cell.Operation.values());
        positive("size-ms", "10000");
        positive("step-ms", "1000");
        positive("gap-ms", "200");
        text("jar", "");
        text("class", "");
        words("output", "digest", "written");
        words("latency", "none", "event-time");
        words("job", FileJob.values());
        words("cache", "warm", "cold");
        // of one engine, by its own names: see isOption
        words("thalweg.idle", "balanced", "spin", "park");
        number("thalweg.threads", "");
        number("thalweg.parallelism", "");
        number("thalweg.queue", "");
        number("thalweg.batch", "");
        number("jet.queue-size", "");
        number("jet.cooperative-threads", "");
        // of Storm and JStorm
        number("ackers", "");
        // of Kafka
        text("broker", "");
        text("topic", "");
        positive("brokers", "1");
        positive("producers", "1");
        number("batch", "16384");
        text("acks", "1");
        positive("replicas", "1");
        positive("partitions", "");
        positive("threads", "1");
        number("linger-ms", "");
        words("compression", "none", "gzip", "snappy", "lz4", "zstd");
        number("buffer-memory", "");
        number("max-request-size", "");
        number("max-poll-records", "");
        number("fill", "");
        number("warm-up-s", "");
        number("min-insync-replicas", "");
    }

    /**
     * Whether a setting is an option of one engine, named {@code ENGINE.KEY}. Those of engines that have many are checked by their
     * drivers, which know them; a cell on another engine does not have them.
     */
    public static boolean isOption(String name) {
        return ENGINES.contains(engineOf(name));
    }

    /** Which engine an option is of; what stands before the first dot. */
    public static String engineOf(String option) {
        int dot = option.indexOf('.');
        return dot < 0 ? "" : option.substring(0, dot);
    }

    private static boolean isCheckedByItsDriver(String name) {
        return MANY.contains(engineOf(name));
    }

    private static void number(String name, String otherwise) {
        ALL.put(name, new Setting(name, Kind.NUMBER, otherwise, List.of(), 0));
    }

    private static void positive(String name, String otherwise) {
        ALL.put(name, new Setting(name, Kind.NUMBER, otherwise, List.of(), 1));
    }

    private static void text(String name, String otherwise) {
        ALL.put(name, new Setting(name, Kind.TEXT, otherwise, List.of(), 0));
    }

    /** The first word is the default. */
    private static void words(String name, String... words) {
        ALL.put(name, new Setting(name, Kind.WORD, words[0], List.of(words), 0));
    }

    private static void words(String name, Enum<?>... constants) {
        words(name, Arrays.stream(constants).map(Setting::word).toArray(String[]::new));
    }

    /** A constant as studies spell it. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException if there is none; the message names the nearest one, or else all */
    public static Setting named(String name) {
        Setting setting = ALL.get(name);
        if (setting != null) {
            return setting;
        }
        if (isCheckedByItsDriver(name)) {
            return new Setting(name, Kind.TEXT, "", List.of(), 0);
        }
        String letters = letters(name);
        throw new IllegalArgumentException("there is no setting '" + name + "'"
                + ALL.keySet().stream()
                        .min(Comparator.comparingInt(known -> distance(letters, letters(known))))
                        .filter(known -> distance(letters, letters(known)) <= Math.min(NEAR, letters.length() / 2))
                        .map(nearest -> "; did you mean '" + nearest + "'?")
                        .orElse("; there are " + String.join(", ", ALL.keySet())));
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
    }

    /** How many letters must be inserted, deleted or replaced to make one the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }

    public boolean isNumber() {
        return kind == Kind.NUMBER;
    }

    /** What it is where a cell does not say; empty if that depends on the engine, or there is nothing then. */
    public String otherwise() {
        return otherwise;
    }

    /** @throws IllegalArgumentException if it cannot be that; the message says what it can be */
    public void check(String value) {
        if (kind == Kind.NUMBER && parse(value) < least) {
            throw new IllegalArgumentException(name + " is " + least + " or more, not " + value);
        } else if (kind == Kind.WORD && !words.contains(value)) {
            throw new IllegalArgumentException(name + " cannot be " + value + ", but " + String.join(", ", words));
        }
    }

    /** @throws IllegalArgumentException if that is no whole number */
    public long parse(String value) {
        try {
            return Long.parseLong(value.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, not " + value, e);
        }
    }
}
