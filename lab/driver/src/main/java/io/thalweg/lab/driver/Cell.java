// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

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
        /** JSON of network probes → flatten → sinks. */
        FLATTEN,
        /** A user's own topology, from {@link #jar}, until its input ends. */
        TOPOLOGY,
        /** A {@link #fileJob} over a file, as a program of its own, from its start to its end. */
        FILES,
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

    /** Which stage has a process of its own, where there are two. */
    public enum Placement {
        /** The sources; all else is in the other, so that each record crosses once. */
        SOURCES,
        /** What stands between sources and sinks, which are together in the other, so that each record crosses twice. */
        BETWEEN
    }

    /** What a thread of the engine does while no record is due and none is on its way, in cells with a rate. */
    public enum Waiting {
        /** What the engine's variant does. */
        OWN,
        /** It sleeps at once, where it is not woken for {@link Load#PARK_NS} at most. */
        PARK,
        /** It looks again at once, and never sleeps. */
        SPIN
    }

    private static final String SET = "set.";

    /** What records of other workloads do not carry, and what nobody does with them. */
    private static final List<String> OF_RELAYS =
            List.of("payload", "stamps", "hoard", "processer", "stall-ms", "slowdown-percent");

    /** Of the study with Kafka's own tools. */
    private static final String PAYLOAD_OF_KAFKA = "1024";

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
        settings.forEach((name, value) -> {
            if (!name.startsWith(SET) && !value.isEmpty()) {
                Setting.named(name).check(value);
            }
        });
        if (processes() < 1 || processes() > 2) {
            throw new IllegalArgumentException("processes is 1 or 2, not " + processes());
        }
        if (payload() != 0 && payload() < Long.BYTES) {
            throw new IllegalArgumentException(
                    "payload is 0 or at least 8, which hold the record's number, not " + payload());
        }
        if (processes() == 2 && placement() == Placement.BETWEEN && workload() == Workload.RELAY && layers() == 0) {
            throw new IllegalArgumentException("placement between needs layers of relays, and there are none");
        }
        if (waiting() != Waiting.OWN && (ratePerSecond() == 0 || !from().equals("generated"))) {
            throw new IllegalArgumentException("waiting " + value("waiting")
                    + " needs a rate of generated records: otherwise no source waits until one is due");
        }
        if (emissionS() > 0 && (workload() != Workload.GROUP_BY || sources() > 1)) {
            throw new IllegalArgumentException("emission-s is of workload group-by with one source");
        }
        if (pushed() && ratePerSecond() == 0) {
            throw new IllegalArgumentException("pushed needs a rate");
        }
        if (kills()) {
            checkKill();
        }
        if (!text("rate-search", "").isEmpty()) {
            checkRateSearch();
        }
        if (workload() == Workload.TOPOLOGY && jar().isEmpty()) {
            throw new IllegalArgumentException("workload topology needs a jar");
        }
        checkWhatIsPassedOver();
    }

    /** What a cell would not do, and be reported as if it did. */
    private void checkWhatIsPassedOver() {
        boolean ofKafka =
                workload() == Workload.PRODUCE || workload() == Workload.CONSUME || workload() == Workload.SERVE;
        for (String each : OF_RELAYS) {
            if (workload() != Workload.RELAY && isSaid(each) && !(ofKafka && each.equals("payload"))) {
                throw new IllegalArgumentException(
                        each + " is of workload relay" + (each.equals("payload") ? ", produce or consume" : ""));
            }
        }
        if (isSaid("child") && !processer().equals("python")) {
            throw new IllegalArgumentException("child is of processer python");
        }
        boolean rated = ratePerSecond() > 0 || isSaid("rate-search");
        if (rated && (from().equals("kafka") || workload() == Workload.CONSUME)) {
            throw new IllegalArgumentException(
                    "a rate is of records that are generated: those of a topic are there, and read as fast as it goes");
        }
        if (isSaid("heap") && (processes() > 1 || ofKafka || workload() == Workload.FILES)) {
            throw new IllegalArgumentException(
                    "heap is of engines in one process: clusters, Kafka and programs over files have their own");
        }
    }

    private boolean isSaid(String name) {
        Setting setting = Setting.named(name);
        String value = text(name, setting.otherwise());
        if (setting.isNumber() && !value.isEmpty() && !setting.otherwise().isEmpty()) {
            return setting.parse(value) != setting.parse(setting.otherwise());
        }
        return !value.equals(setting.otherwise());
    }

    /** From nothing, no halving comes to an end. */
    private void checkRateSearch() {
        long lowest = number("rate", 1_000);
        if (lowest < 1 || number("rate-search") <= lowest) {
            throw new IllegalArgumentException(
                    "rate-search, " + value("rate-search") + ", must be above rate, " + lowest + ", and that above 0");
        }
    }

    private void checkKill() {
        if (workload() != Workload.RELAY || !from().equals("generated")) {
            throw new IllegalArgumentException("kill is of workload relay with generated records");
        }
        if (guarantee() == Guarantee.NONE) {
            throw new IllegalArgumentException(
                    "kill needs a guarantee: without one, sources begin again at the first record");
        }
        if (records() > 0 || checksEach() || !text("rate-search", "").isEmpty()) {
            throw new IllegalArgumentException("kill goes without records, check and rate-search:"
                    + " such a run lasts until its rate is back, and looks at every record itself");
        }
    }

    public Workload workload() {
        return constant("workload", Workload.class);
    }

    /** The engine's way to run it, one of those its driver.yaml lists. */
    public String variant() {
        return value("variant");
    }

    public Guarantee guarantee() {
        return constant("guarantee", Guarantee.class);
    }

    /** Whether records are confirmed one by one, also where that is how an engine promises at least once. */
    public boolean acked() {
        return guarantee() == Guarantee.ACKED || guarantee() == Guarantee.AT_LEAST_ONCE;
    }

    /** 1: all in one JVM. 2: two worker processes; {@link #placement} says which stages are in which. */
    public int processes() {
        return (int) number("processes");
    }

    public Placement placement() {
        return constant("placement", Placement.class);
    }

    /** From one process to the other, how often each record crosses on its way from source to sink. */
    public int crossings() {
        return processes() == 1 ? 0 : placement() == Placement.SOURCES ? 1 : 2;
    }

    public int sources() {
        return (int) number("sources");
    }

    /** Tasks in each layer of relays, or of flatteners. */
    public int relays() {
        return (int) number("relays");
    }

    /** Layers of relays, one behind the other, between sources and sinks; 0: records go from the sources to the sinks. */
    public int layers() {
        return (int) number("layers");
    }

    /** Tasks that count what comes out, or that aggregate. */
    public int sinks() {
        return (int) number("sinks");
    }

    /** Bytes that a record carries besides its number, or with it in the first 8; 0: the record is the number alone. */
    public int payload() {
        return (int) number("payload");
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
        return (int) number("max-pending");
    }

    /** After how long a record without an ack has failed. */
    public int ackTimeoutS() {
        return (int) number("ack-timeout-s");
    }

    /** Records a second of all sources together, each measured from when it was due; 0: as fast as it goes. */
    public long ratePerSecond() {
        return number("rate");
    }

    /**
     * Whether a thread beside the engine hands over each record when it is due, as a client library does: the engine does not know
     * the time before. Only with a rate.
     */
    public boolean pushed() {
        return truth("pushed");
    }

    public Waiting waiting() {
        return constant("waiting", Waiting.class);
    }

    /** After how many records all sources together end by themselves; 0: when the stop file appears. */
    public long records() {
        return number("records");
    }

    /** {@code generated}, or {@code kafka}: then {@code broker} and {@code topic} say where, and {@link #records} how many there are. */
    public String from() {
        return value("from");
    }

    /** {@code builtin}, or {@code python}: then each relay is an external Python program. */
    public String processer() {
        return value("processer");
    }

    /** Whether a source hands out one object again and again, with the next number in it. Only records that are a number alone can be. */
    public boolean reusesRecord() {
        return value("record").equals("reused");
    }

    /** Bytes that each relay task keeps alive, replacing one array with each record, so that the heap runs short: {@link Hoard}. */
    public long hoard() {
        return number("hoard");
    }

    /** For how long each relay task stops once a second, for the lab's self-test. */
    public long stallMs() {
        return number("stall-ms");
    }

    /** By how much each relay task is slower than it could be, for the lab's self-test. */
    public long slowdownPercent() {
        return number("slowdown-percent");
    }

    public int dimensions() {
        return (int) number("dimensions");
    }

    public int measures() {
        return (int) number("measures");
    }

    /** How many different keys there are. */
    public int cardinality() {
        return (int) number("cardinality");
    }

    /** Records to a window of all sources together; event time advances by one millisecond every {@code window / 1000} of them. */
    public long window() {
        return number("window");
    }

    /**
     * Seconds of the wall clock to a window of {@link Workload#GROUP_BY}: then the event time of a record is when it was made,
     * instead of by its number; 0: {@link #window} records.
     */
    public long emissionS() {
        return number("emission-s");
    }

    /** Whether the rate is that of the sources, instead of what has come out: where that comes in few bursts. All of it must come out all the same. */
    public boolean countedAtSources() {
        return value("counted").equals("sources");
    }

    /** Seconds to measure at least; 0: as long as any other cell. */
    public long measureS() {
        return number("measure-s");
    }

    /** Whether all engines read JSON by the same reader and group by the same key; otherwise each by the best that it has. */
    public boolean readsAlike() {
        return value("reading").equals("same");
    }

    public Operation operation() {
        return constant("operation", Operation.class);
    }

    /** Of event time. */
    public long sizeMs() {
        return number("size-ms");
    }

    /** Of event time. */
    public long stepMs() {
        return number("step-ms");
    }

    /** Of event time. */
    public long gapMs() {
        return number("gap-ms");
    }

    /** Whether the heap is collected before the sources end, to see how much of it is live. */
    public boolean liveHeap() {
        return truth("live-heap");
    }

    /** Whether the JVMs that have meters are recorded by the JDK Flight Recorder, which slows them down. */
    public boolean profiled() {
        return truth("profile");
    }

    /** Whether every record is looked at, and every group's row: {@link Check}. Such a run is not timed. */
    public boolean checksEach() {
        return truth("check");
    }

    /**
     * Whether the lab kills a process of the run that does its work, once the rate is measured. The driver names it by {@link
     * RunFolder#setWorker}, and has it replaced as who runs the engine would.
     */
    public boolean kills() {
        return value("kill").equals("worker");
    }

    /** Whether what sinks take in counts only when they commit it: otherwise a run in which a process is killed repeats records. */
    public boolean commits() {
        return kills() && guarantee() == Guarantee.EXACTLY_ONCE;
    }

    /** Where the user's own topology is, a {@code .jar} or a {@code .java} file; empty if the cell has none. */
    public String jar() {
        return value("jar");
    }

    /** Of {@link Workload#TOPOLOGY}: whether its sinks write; otherwise a digest of what comes to them takes their place. */
    public boolean writesOutput() {
        return value("output").equals("written");
    }

    /** Of {@link Workload#TOPOLOGY}: whether the age of records that reach a sink is measured by their event times. */
    public boolean measuresAge() {
        return value("latency").equals("event-time");
    }

    /** Of {@link Workload#FILES}. */
    public FileJob fileJob() {
        return constant("job", FileJob.class);
    }

    /** Of {@link Workload#FILES}: whether the input is in the page cache before the program starts, or is dropped from it. */
    public boolean warmCache() {
        return value("cache").equals("warm");
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

    /** Options of one engine, by its own names: settings named {@code ENGINE.KEY}. */
    public Map<String, String> options(String engine) {
        Map<String, String> options = new TreeMap<>();
        settings.forEach((name, value) -> {
            if (Setting.isOption(name) && Setting.engineOf(name).equals(engine)) {
                options.put(name.substring(engine.length() + 1), value);
            }
        });
        return options;
    }

    /** A setting that each engine has a default of its own for. */
    public String text(String name, String otherwise) {
        Setting.named(name);
        String value = settings.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }

    /** What the cell says, or the default. */
    public String value(String name) {
        boolean kafkas = name.equals("payload") && (workload() == Workload.PRODUCE || workload() == Workload.CONSUME);
        return text(name, kafkas ? PAYLOAD_OF_KAFKA : Setting.named(name).otherwise());
    }

    /** A setting that each engine has a default of its own for. */
    public long number(String name, long otherwise) {
        String value = text(name, "");
        return value.isEmpty() ? otherwise : Setting.named(name).parse(value);
    }

    /** What the cell says, or the default. */
    public long number(String name) {
        return Setting.named(name).parse(value(name));
    }

    private boolean truth(String name) {
        return value(name).equals("true");
    }

    private <E extends Enum<E>> E constant(String name, Class<E> type) {
        String value = value(name);
        Setting.named(name).check(value);
        for (E constant : type.getEnumConstants()) {
            if (Setting.word(constant).equals(value)) {
                return constant;
            }
        }
        throw new IllegalStateException(name + " " + value);
    }

    @Override
    public String toString() {
        return settings.toString();
    }
}
