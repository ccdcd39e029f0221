// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One run: what to do, in which folder. A study's YAML names the same settings, and a properties file carries them to the
 * driver, and on to the workers of a cluster. Serializable, so that an engine's operators can hold it.
 */
public final class Cell implements java.io.Serializable {
    private static final long serialVersionUID = 1L;

    /** What is done with the records. */
    public enum Workload {
        /** sources → layers of relays → sinks, with no computation. */
        RELAY,
        /** sources → sums of measures grouped by dimensions → sinks. */
        GROUP_BY,
        /** sources → an {@link #operation} over the records of each key → sinks. */
        WINDOWS,
        /** JSON of network probes → flatten → sums of all measures grouped by all dimensions → sinks. */
        TELECOM,
        /** A user's own topology, from {@link #jar}, until its input ends; the engine itself counts what was read and written. */
        TOPOLOGY,
        /** Producers that write to Kafka. */
        PRODUCE,
        /** Consumers that read from Kafka. */
        CONSUME,
        /**
         * A topic with {@link #records} numbers, for the cells of other engines that come {@link #from} Kafka. The run ends when
         * it is filled and {@code service.properties} in the run's folder says {@code broker} and {@code topic}; both stay until
         * the driver is closed.
         */
        SERVE
    }

    /** What {@link Workload#WINDOWS} does with the records of a key: each counts them, sums their numbers and finds the greatest. */
    public enum Operation {
        /** In windows of {@code size-ms} of event time. */
        TUMBLING,
        /** In windows of {@code size-ms}, one every {@code step-ms}. */
        SLIDING,
        /** In sessions, which end where a key has no record for {@code gap-ms}. */
        SESSION,
        /** From the first record on, with a result for each record. */
        RUNNING,
        /** No aggregate: pairs each record with one that came some time before it, by an interval join. */
        JOIN
    }

    /** What an engine promises about each record. */
    public enum Guarantee {
        NONE,
        /** Each record is confirmed one by one, and replayed when it is not. */
        ACKED,
        AT_LEAST_ONCE,
        EXACTLY_ONCE
    }

    private static final String SET = "set.";

    private static final List<String> NUMBERS = List.of(
            "processes",
            "sources",
            "relays",
            "sinks",
            "layers",
            "payload",
            "max-pending",
            "rate",
            "records",
            "hoard",
            "stall-ms",
            "slowdown-percent",
            "dimensions",
            "measures",
            "cardinality",
            "window",
            "size-ms",
            "step-ms",
            "gap-ms");

    /** All settings that a cell of any engine may have, besides those named {@code set.KEY}. */
    private static final Set<String> NAMES = Set.of(
            // of every engine
            "workload",
            "variant",
            "guarantee",
            "processes",
            "sources",
            "relays",
            "layers",
            "sinks",
            "payload",
            "stamps",
            "max-pending",
            "checkpoint-ms",
            "rate",
            "rate-search",
            "latency-us",
            "pushed",
            "records",
            "from",
            "processer",
            "child",
            "heap",
            "hoard",
            "stall-ms",
            "slowdown-percent",
            "live-heap",
            // of some workloads
            "dimensions",
            "measures",
            "cardinality",
            "window",
            "size",
            "operation",
            "size-ms",
            "step-ms",
            "gap-ms",
            "jar",
            "class",
            // of Storm
            "ackers",
            // of Kafka
            "broker",
            "topic",
            "brokers",
            "producers",
            "batch",
            "acks",
            "replicas",
            "partitions",
            "threads",
            "linger-ms",
            "buffer-memory",
            "max-request-size",
            "max-poll-records",
            "fill",
            "warm-up-s",
            "min-insync-replicas");

    private final TreeMap<String, String> settings;
    private final String folder;

    private Cell(Map<String, String> settings, Path folder) {
        this.settings = new TreeMap<>(settings);
        this.folder = folder.toString();
    }

    public static Cell of(Map<String, String> settings, Path folder) {
        return new Cell(settings, folder.toAbsolutePath());
    }

    /** Reads the cell that {@link #write} left in a run's folder. */
    public static Cell in(Path folder) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(folder.resolve("cell.properties"))) {
            properties.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        TreeMap<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return of(settings, folder);
    }

    public void write() throws IOException {
        Properties properties = new Properties();
        properties.putAll(settings);
        try (Writer writer = Files.newBufferedWriter(Path.of(folder, "cell.properties"))) {
            properties.store(writer, null);
        }
    }

    /** The same in another folder, with some settings replaced: such as one to warm up by. */
    public Cell with(Map<String, String> replaced, Path otherFolder) {
        TreeMap<String, String> all = new TreeMap<>(settings);
        all.putAll(replaced);
        return of(all, otherFolder);
    }

    /** Where the run's meters write, and where its stop file appears. */
    public RunFolder folder() {
        return new RunFolder(Path.of(folder));
    }

    /**
     * Reads every setting that cells of all engines share.
     *
     * @throws IllegalArgumentException if one of them cannot be read, or is not known; the message names it
     */
    public void check() {
        settings.keySet().forEach(Cell::checkName);
        workload();
        guarantee();
        operation();
        stamps();
        liveHeap();
        if (pushed() && ratePerSecond() == 0) {
            throw new IllegalArgumentException("pushed needs a rate");
        }
        for (String name : NUMBERS) {
            number(name, 0);
        }
        if (workload() == Workload.TOPOLOGY && jar().isEmpty()) {
            throw new IllegalArgumentException("workload topology needs a jar");
        }
    }

    public Workload workload() {
        return constant("workload", Workload.RELAY);
    }

    /** The engine's way to run it, one of those its driver.yaml lists. */
    public String variant() {
        return text("variant", "default");
    }

    public Guarantee guarantee() {
        return constant("guarantee", Guarantee.NONE);
    }

    /** 1: all in one JVM. 2: two worker processes, and every hop from a source to a relay crosses from one to the other. */
    public int processes() {
        return (int) number("processes", 1);
    }

    public int sources() {
        return (int) number("sources", 1);
    }

    /** Tasks in each layer of relays, or of flatteners. */
    public int relays() {
        return (int) number("relays", 1);
    }

    /** Relays one behind the other. */
    public int layers() {
        return (int) number("layers", 1);
    }

    /** Tasks that count what comes out, or that aggregate. */
    public int sinks() {
        return (int) number("sinks", 1);
    }

    /** Bytes that a record carries besides its number; 0: the record is the number alone. */
    public int payload() {
        return (int) number("payload", 0);
    }

    /**
     * Whether each hop makes a record of its own, with a copy of the payload, and appends the time to it, as in
     * storm-2012; otherwise a relay hands on what it got.
     */
    public boolean stamps() {
        return truth("stamps");
    }

    /** Records that an acked source may have under way; 0: no limit. */
    public int maxPending() {
        return (int) number("max-pending", 0);
    }

    /** Records a second of all sources together, each measured from when it was due; 0: as fast as it goes. */
    public long ratePerSecond() {
        return number("rate", 0);
    }

    /**
     * Whether a thread beside the engine hands over each record when it is due, as a client library does: the engine does not know
     * the time before. Only with a rate.
     */
    public boolean pushed() {
        return truth("pushed");
    }

    /** After how many records all sources together end by themselves; 0: when the stop file appears. */
    public long records() {
        return number("records", 0);
    }

    /** {@code generated}, or {@code kafka}: then {@code broker} and {@code topic} say where, and {@link #records} how many there are. */
    public String from() {
        return text("from", "generated");
    }

    /** {@code builtin}, or {@code python}: then each relay is an external Python program. */
    public String processer() {
        return text("processer", "builtin");
    }

    /** Bytes that each relay task keeps alive, replacing one array with each record, so that the heap runs short: {@link Hoard}. */
    public long hoard() {
        return number("hoard", 0);
    }

    /** For how long each relay task stops once a second, for the lab's self-test. */
    public long stallMs() {
        return number("stall-ms", 0);
    }

    /** By how much each relay task is slower than it could be, for the lab's self-test. */
    public long slowdownPercent() {
        return number("slowdown-percent", 0);
    }

    public int dimensions() {
        return (int) number("dimensions", 2);
    }

    public int measures() {
        return (int) number("measures", 2);
    }

    /** How many different keys there are. */
    public int cardinality() {
        return (int) number("cardinality", 10_000);
    }

    /** Records to a window of all sources together; event time advances by one millisecond every {@code window / 1000} of them. */
    public long window() {
        return number("window", 1_000_000);
    }

    public Operation operation() {
        return constant("operation", Operation.TUMBLING);
    }

    /** Of event time. */
    public long sizeMs() {
        return number("size-ms", 10_000);
    }

    /** Of event time. */
    public long stepMs() {
        return number("step-ms", 1_000);
    }

    /** Of event time. */
    public long gapMs() {
        return number("gap-ms", 200);
    }

    /** Whether the heap is collected before the sources end, to see how much of it is live. */
    public boolean liveHeap() {
        return truth("live-heap");
    }

    /** Where the user's own topology is; empty if the cell has none. */
    public String jar() {
        return text("jar", "");
    }

    /** What the user's own topology is told, by key: settings named {@code set.KEY}. */
    public Map<String, String> set() {
        Map<String, String> set = new TreeMap<>();
        settings.tailMap(SET).forEach((name, value) -> {
            if (name.startsWith(SET)) {
                set.put(name.substring(SET.length()), value);
            }
        });
        return set;
    }

    public String text(String name, String otherwise) {
        checkName(name);
        return settings.getOrDefault(name, otherwise);
    }

    private static void checkName(String name) {
        if (!NAMES.contains(name) && !name.startsWith(SET)) {
            String letters = letters(name);
            String meant = NAMES.stream()
                    .filter(known -> letters(known).equals(letters))
                    .findFirst()
                    .map(known -> "; it is spelled '" + known + "'")
                    .orElse("; there are " + String.join(", ", new TreeSet<>(NAMES)));
            throw new IllegalArgumentException("there is no setting '" + name + "'" + meant);
        }
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
    }

    public long number(String name, long otherwise) {
        String value = text(name, "");
        try {
            return value.isEmpty() ? otherwise : Long.parseLong(value.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, not " + value, e);
        }
    }

    private boolean truth(String name) {
        String value = text(name, "false");
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " is true or false, not " + value);
        }
        return value.equals("true");
    }

    private <E extends Enum<E>> E constant(String name, E otherwise) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        for (E constant : otherwise.getDeclaringClass().getEnumConstants()) {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT).replace('-', '_'))) {
                return constant;
            }
        }
        throw new IllegalArgumentException(name + " cannot be " + value);
    }

    @Override
    public String toString() {
        return settings.toString();
    }
}
