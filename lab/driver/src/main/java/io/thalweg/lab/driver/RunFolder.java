// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The folder of one run. Each JVM of the run writes {@code NAME.samples} (lines of {@link Sample}) and {@code NAME.latencies}
 * (HdrHistogram's log of intervals, in nanoseconds); the lab puts a file {@code stop} there when the sources shall end.
 */
public record RunFolder(Path path) {
    public static final String SAMPLES = ".samples";
    public static final String LATENCIES = ".latencies";

    /** What the JDK Flight Recorder saw of a JVM, of a cell that is {@link Cell#profiled}. */
    public static final String RECORDING = ".jfr";

    /** {@link JvmFacts}. */
    static final String JVM = ".jvm";

    /** What the former becomes where the meters of a JVM could not be written to the end. */
    static final String BROKEN = ".broken";

    /** What a JVM of a run that checks every record has seen: {@link Check}. */
    static final String CHECK = ".check";

    /** How many records failed at the sources of a JVM. */
    static final String FAILED = ".failed";

    /** What sinks of a run in which a process is killed have put out: {@link Output}. */
    static final String OUTPUT = ".output";

    private static final Duration QUIET = Duration.ofSeconds(5);

    private static final String LIVE_HEAP = ".live-heap";
    private static final String POSITION = ".position";
    private static final String WORKER = "worker";

    /** How far a source task had come when it ended. */
    record Position(int task, int tasks, long numbers) {}

    /** Whether the sources shall end. */
    public boolean stopped() {
        return Files.exists(path.resolve("stop"));
    }

    /** Tells the sources to end. */
    public void stop() throws IOException {
        if (!stopped()) {
            Files.createFile(path.resolve("stop"));
        }
    }

    /** Names the process that the lab is to kill. */
    public void setWorker(long pid) throws IOException {
        replace(WORKER, Long.toString(pid));
    }

    /** The process that the lab is to kill; empty if the driver has named none. */
    public OptionalLong worker() throws IOException {
        Path file = path.resolve(WORKER);
        return Files.exists(file) ? OptionalLong.of(Long.parseLong(Files.readString(file))) : OptionalLong.empty();
    }

    /** Writes how far a source task had come when it ended; of several, after failures, the last one counts. */
    void setPosition(int task, int tasks, long numbers) {
        try {
            replace(task + POSITION, task + " " + tasks + " " + numbers);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write into " + path, e);
        }
    }

    List<Position> positions() throws IOException {
        List<Position> positions = new ArrayList<>();
        for (Path file : files(POSITION)) {
            String[] fields = Files.readString(file).split(" ");
            positions.add(
                    new Position(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2])));
        }
        return positions;
    }

    /** Others may read at any time. */
    private void replace(String name, String text) throws IOException {
        Path written = Files.writeString(path.resolve(name + "-next"), text);
        Files.move(written, path.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes how much of a JVM's heap is live. */
    void liveHeap(long bytes) {
        try {
            Files.writeString(path.resolve(ProcessHandle.current().pid() + LIVE_HEAP), Long.toString(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the live heap into " + path, e);
        }
    }

    /** How much of the heaps of all JVMs of the run was live before the sources ended, in bytes; 0 if that was not asked for. */
    public long liveHeap() throws IOException {
        long bytes = 0;
        for (Path file : files(LIVE_HEAP)) {
            bytes += Long.parseLong(Files.readString(file));
        }
        return bytes;
    }

    /** How many records failed, as the engine told the sources. */
    public long failed() throws IOException {
        long failed = 0;
        for (Path file : files(FAILED)) {
            failed += Long.parseLong(Files.readString(file));
        }
        return failed;
    }

    /** The JVMs that sources and sinks of the run were in; those that are alike once. */
    public List<JvmFacts> jvms() throws IOException {
        List<JvmFacts> jvms = new ArrayList<>();
        for (Path file : files(JVM)) {
            JvmFacts facts = JvmFacts.read(file);
            if (!jvms.contains(facts)) {
                jvms.add(facts);
            }
        }
        return jvms;
    }

    /** Whether the meters of a JVM of the run could not be written, as on a full disk, so that its files end before the run. */
    public boolean isBroken() throws IOException {
        return !files(BROKEN).isEmpty();
    }

    /** All samples that a JVM wrote so far, oldest first. */
    public static List<Sample> samples(Path file) throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (Sample.isWhole(line)) {
                samples.add(Sample.parse(line));
            }
        }
        return samples;
    }

    /** The files of that ending, one for each JVM that has meters. */
    public List<Path> files(String ending) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(path, "*" + ending)) {
            all.forEach(files::add);
        }
        files.sort(null);
        return files;
    }

    /** The process that a file is of: it may have several, where its tasks did not all run at one time. */
    public static long pid(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** What all JVMs of the run counted so far, added up. */
    public Sample totals() {
        Sample total = Sample.NOTHING;
        try {
            for (Path file : files(SAMPLES)) {
                List<Sample> samples = samples(file);
                total = samples.isEmpty() ? total : total.plus(samples.get(samples.size() - 1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return total;
    }

    /**
     * Waits until a source or a sink of the run has made its meters. For a driver whose engine must not be told to end a job that it
     * has only begun to start.
     *
     * @throws IllegalStateException if that does not happen in time
     */
    public void awaitStarted(Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (files(SAMPLES).isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("no source or sink had started after " + atMost.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    /**
     * Waits until the sources have been told to stop and have closed their loads. For a driver whose sources do so only when all of what
     * they sent is acked.
     *
     * @throws IllegalStateException if that does not happen in time
     */
    public void awaitClosed(int sources, Duration atMost) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (positions().size() < sources) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the sources had not ended after " + atMost.toSeconds() + " s");
            }
            Thread.sleep(50);
        }
    }

    /**
     * Waits until the sources have ended and all of what they sent has come out, or nothing more for five seconds; where records are
     * sent again that have no ack, also as long as that takes. For a driver whose engine does not notice by itself that its input ended.
     *
     * @throws IllegalStateException if that does not happen in time
     */
    public void awaitDrained(Cell cell, Duration atMost) throws InterruptedException {
        awaitDrained(cell.records(), cell.acked() ? QUIET.plusSeconds(cell.ackTimeoutS()) : QUIET, atMost);
    }

    void awaitDrained(long records, Duration quiet, Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        Sample last = Sample.NOTHING;
        long since = System.nanoTime();
        while (System.nanoTime() - deadline < 0) {
            Thread.sleep(100);
            Sample now = totals();
            if (now.received() != last.received() || now.sent() != last.sent()) {
                since = System.nanoTime();
            }
            last = now;
            boolean ended = stopped() || (records > 0 && now.sent() >= records);
            long quietMs = (System.nanoTime() - since) / 1_000_000;
            if (ended && (quietMs > quiet.toMillis() || (quietMs >= 300 && now.received() >= now.sent()))) {
                return;
            }
        }
        throw new IllegalStateException("of " + last.sent() + " records sent only " + last.received() + " came out in "
                + atMost.toSeconds() + " s");
    }
}
