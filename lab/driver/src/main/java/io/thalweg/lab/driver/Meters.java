// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * The meters of this JVM for one run. A thread of their own reads them ten times a second and appends what they say to the
 * run's folder, latencies once a second; it also looks whether the run shall stop. It ends by {@link #closeAll}, or when all
 * tasks that have meters here have closed them, or with the JVM. Sources and sinks count without waiting for it.
 */
public final class Meters implements AutoCloseable {
    /** Its name; what it allocates is the lab's. */
    public static final String THREAD = "meters";

    private static final Map<Path, Meters> OPEN = new HashMap<>();
    private static final AtomicLong LONGEST_GC_MS = new AtomicLong();

    static {
        listenToCollections();
    }

    private final List<SourceMeter> sources = new CopyOnWriteArrayList<>();
    private final List<ReadMeter> readers = new CopyOnWriteArrayList<>();
    private final List<SinkMeter> sinks = new CopyOnWriteArrayList<>();
    private final Cell cell;
    private final RunFolder folder;
    private final boolean liveHeap;
    private final boolean check;
    private final Path checkFile;
    private final Path failedFile;
    private final Path facts;
    private final Path brokenFile;
    private final @Nullable FlightRecording recording;
    private final Writer samples;
    private final OutputStream latencyFile;

    /** What is to be written next: the log's own writer passes over errors. */
    private final ByteArrayOutputStream latencyLines = new ByteArrayOutputStream();

    private final HistogramLogWriter latencies = new HistogramLogWriter(latencyLines);
    private final Thread thread;
    /** Guarded by OPEN. */
    private int openTasks;

    private volatile boolean stopped;
    private volatile boolean closing;

    /** Why no more is written; null while all is. */
    private volatile @Nullable String failure;

    /** Used by the meters' own thread alone, like the next one. */
    private final Allocations allocations = new Allocations();

    private long failedSoFar;
    private long sentAtLastCheck = -1;

    private Meters(Cell cell) throws IOException {
        this.cell = cell;
        this.folder = cell.folder();
        this.liveHeap = cell.liveHeap();
        this.check = cell.checksEach();
        facts = Files.createTempFile(folder.path(), ProcessHandle.current().pid() + "-", RunFolder.JVM);
        String name = facts.getFileName().toString().replace(RunFolder.JVM, "");
        JvmFacts.here().write(facts);
        brokenFile = folder.path().resolve(name + RunFolder.BROKEN);
        checkFile = folder.path().resolve(name + RunFolder.CHECK);
        failedFile = folder.path().resolve(name + RunFolder.FAILED);
        samples = Files.newBufferedWriter(folder.path().resolve(name + RunFolder.SAMPLES));
        latencyFile = Files.newOutputStream(folder.path().resolve(name + RunFolder.LATENCIES));
        latencies.outputLogFormatVersion();
        latencies.outputLegend();
        recording = cell.profiled() ? new FlightRecording(folder.path().resolve(name + RunFolder.RECORDING)) : null;
        thread = new Thread(this::write, THREAD);
        thread.setDaemon(true);
        thread.start();
    }

    /** The meters of a run in this JVM, opened by the first who asks. Any thread may ask. */
    public static Meters of(Cell cell) {
        synchronized (OPEN) {
            return OPEN.computeIfAbsent(cell.folder().path(), path -> {
                try {
                    return new Meters(cell);
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot write the meters of " + path, e);
                }
            });
        }
    }

    /** Adds a meter; to new ones, where the last of the tasks that had opened theirs has just closed these. */
    private <M> M add(Function<Meters, M> meter, Function<Meters, List<M>> to) {
        synchronized (OPEN) {
            Meters open = closing ? of(cell) : this;
            M added = meter.apply(open);
            to.apply(open).add(added);
            open.openTasks++;
            return added;
        }
    }

    SourceMeter source(int task, int tasks) {
        return add(meters -> new SourceMeter(meters, task, tasks), meters -> meters.sources);
    }

    /** A meter for one source task that reads its records from outside; it alone may write to it. */
    public ReadMeter reader() {
        return add(meters -> new ReadMeter(meters, check ? new CheckLog() : null), meters -> meters.readers);
    }

    /** A meter for one sink task, which alone may write to it. */
    public SinkMeter sink() {
        Function<Meters, SinkMeter> meter = cell.kills()
                ? meters -> new LastingSinkMeter(meters, cell)
                : check ? CheckingSinkMeter::new : SinkMeter::new;
        return add(meter, meters -> meters.sinks);
    }

    /** Whether the sources shall end; known a tenth of a second after the stop file was put. */
    public boolean stopped() {
        return stopped;
    }

    /** A task of a worker of a cluster, which outlives the run, says that it is done; the last one writes the last figures. */
    void taskClosed() {
        synchronized (OPEN) {
            if (--openTasks > 0) {
                return;
            }
            beginToClose();
        }
        close();
    }

    private void beginToClose() {
        OPEN.remove(folder.path(), this);
        closing = true;
    }

    /**
     * Writes the last figures of all runs of this JVM.
     *
     * @throws UncheckedIOException if those of any could not be written
     */
    public static void closeAll() {
        UncheckedIOException failed = null;
        synchronized (OPEN) {
            for (Meters each : List.copyOf(OPEN.values())) {
                try {
                    each.close();
                } catch (UncheckedIOException e) {
                    failed = e;
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Writes the last figures. Who asks for the run's meters afterwards gets new ones.
     *
     * @throws UncheckedIOException if any could not be written, as on a full disk: what there is stands for less than the run
     */
    @Override
    public void close() {
        synchronized (OPEN) {
            beginToClose();
        }
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        String why = failure;
        if (why != null) {
            String message = "its meters could not be written: " + why;
            throw new UncheckedIOException(message, new IOException(message));
        }
    }

    private void write() {
        try (samples;
                latencyFile;
                recording) {
            writeUntilClosed();
        } catch (IOException e) {
            fail(e);
        } catch (RuntimeException e) {
            fail(e.getCause() instanceof IOException cause ? cause : e);
        }
    }

    /** Ends the sources, whose records nobody counts any more, and says so to the lab, to which a worker of a cluster has no other way. */
    private void fail(Exception e) {
        String message = e.getMessage();
        failure = message == null ? e.toString() : message;
        stopped = true;
        try {
            Files.move(facts, brokenFile); // takes no room on a full disk
        } catch (IOException another) {
            // whoever closes the meters is told all the same
        }
    }

    private void writeUntilClosed() throws IOException {
        Histogram interval = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
        long intervalSince = System.currentTimeMillis();
        for (int turn = 1; ; turn++) {
            boolean last = closing;
            boolean stop = folder.stopped();
            if (stop && !stopped && liveHeap) {
                measureLiveHeap(); // before the sources end, and what is kept with them
            }
            stopped = stop;
            samples.write(sample().line() + "\n");
            samples.flush();
            if (turn % 10 == 0 || last) {
                sinks.forEach(sink -> sink.moveLatenciesTo(interval));
                long now = System.currentTimeMillis();
                interval.setStartTimeStamp(intervalSince);
                interval.setEndTimeStamp(now);
                intervalSince = now;
                latencies.outputIntervalHistogram(interval);
                latencyLines.writeTo(latencyFile);
                latencyLines.reset();
                interval.reset();
            }
            writeFailed();
            if (check && (turn % 2 == 0 || last)) {
                writeCheck();
            }
            if (last) {
                return;
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                // closing is set: one more turn
            }
        }
    }

    private void writeFailed() {
        long failed = 0;
        for (SourceMeter source : sources) {
            failed += source.failedCount();
        }
        if (failed > failedSoFar) {
            failedSoFar = failed;
            try {
                Path written = Files.writeString(
                        failedFile.resolveSibling(failedFile.getFileName() + "-next"), Long.toString(failed));
                Files.move(written, failedFile, StandardCopyOption.ATOMIC_MOVE); // the harness may read at any time
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + failedFile, e);
            }
        }
    }

    /** Again and again, because an engine may end a worker without a word. */
    private void writeCheck() {
        boolean changed = false;
        CheckLog received = new CheckLog();
        for (SinkMeter sink : sinks) {
            CheckLog log = sink.log();
            if (log != null) {
                changed |= log.takeChanged();
                received.addAll(log);
            }
        }
        CheckLog sent = new CheckLog();
        for (ReadMeter reader : readers) {
            CheckLog log = reader.log();
            if (log != null) {
                changed |= log.takeChanged();
                sent.addAll(log);
            }
        }
        long sentBySources = 0;
        for (SourceMeter source : sources) {
            sentBySources += source.sent();
        }
        if (changed || sentBySources != sentAtLastCheck) {
            sources.forEach(source -> sent.addAll(source.log()));
            sentAtLastCheck = sentBySources;
            try {
                CheckLog.write(checkFile, sent, received);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + checkFile, e);
            }
        }
    }

    private void measureLiveHeap() {
        System.gc();
        folder.liveHeap(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }

    private Sample sample() {
        long received = 0;
        long sumReceived = 0;
        long damaged = 0;
        for (SinkMeter sink : sinks) {
            received += sink.count();
            sumReceived += sink.sum();
            damaged += sink.damagedCount();
        }
        long sent = 0;
        long sumSent = 0;
        for (SourceMeter source : sources) {
            long count = source.sent();
            sent += count;
            sumSent += source.sumOf(count);
        }
        for (ReadMeter reader : readers) {
            sent += reader.count();
            sumSent += reader.sum();
        }
        long collections = 0;
        long collectionMs = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(0, collector.getCollectionCount());
            collectionMs += Math.max(0, collector.getCollectionTime());
        }
        Runtime runtime = Runtime.getRuntime();
        return new Sample(
                System.nanoTime(),
                sent,
                sumSent,
                received,
                sumReceived,
                damaged,
                runtime.totalMemory() - runtime.freeMemory(),
                collections,
                collectionMs,
                LONGEST_GC_MS.get(),
                allocations.bytes());
    }

    private static void listenToCollections() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener(
                            (notification, handback) -> {
                                GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(
                                        (CompositeData) notification.getUserData());
                                LONGEST_GC_MS.accumulateAndGet(info.getGcInfo().getDuration(), Math::max);
                            },
                            notification -> notification
                                    .getType()
                                    .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION),
                            null);
        }
    }
}
