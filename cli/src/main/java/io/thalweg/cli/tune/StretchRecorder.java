// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.graph.TunedGraph;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import io.thalweg.run.TemporaryFolder;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records a stretch of what the live sources of a job deliver, into a temporary folder that only its owner can read. The sources run
 * as in a job, but nothing behind them does. {@link #stop} may be called by any thread, the rest by one.
 */
public final class StretchRecorder implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final int BUFFER = 1 << 16;
    private static final int RECORD = 256;

    private final String job;
    private final List<Node> live;
    private final long mostRecords;
    private final long mostBytes;
    private final TemporaryFolder folder;
    private final Clock clock = Clock.system();
    private volatile boolean enough;
    private volatile boolean stopped;

    // Guarded by this.
    private final Map<Stretch.Split, DataOutputStream> files = new LinkedHashMap<>();
    private final Map<String, Long> records = new LinkedHashMap<>();
    private final ByteWriter bytes = new ByteWriter(RECORD);
    private long total;
    private long written;
    private long bad;
    private boolean full;

    /**
     * What came.
     *
     * @param records by operator
     * @param bytes of all files
     * @param bad records, which are left out
     * @param full there would have been more, but for the limit of bytes
     */
    public record Recorded(Map<String, Long> records, long bytes, long bad, boolean full) {
        public Recorded {
            records = Map.copyOf(records);
        }

        /** Of all sources. */
        public long total() {
            return records.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * @param live which sources of the job are recorded: one at least
     * @param mostRecords of all of them together
     * @param mostBytes on disk
     * @throws ConnectorException if there is no place for temporary files
     */
    public StretchRecorder(TopologyGraph job, Predicate<Source<Object>> live, long mostRecords, long mostBytes) {
        this.job = job.name();
        this.live = job.nodes().stream()
                .filter(node -> node.spec().source() != null
                        && live.test(Objects.requireNonNull(node.spec().source())))
                .toList();
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
        this.live.forEach(node -> records.put(node.name(), 0L));
        try {
            folder = TemporaryFolder.make("thalweg-record-");
        } catch (IOException e) {
            throw new ConnectorException("no folder for a recorded stretch can be made: " + e.getMessage(), e);
        }
    }

    /** Where the stretch is, until this is closed. */
    public Path folder() {
        return folder.path();
    }

    /**
     * Records until there is enough, the sources have ended, the time is over, or {@link #stop}.
     *
     * @param warnings is given lines of the sources, such as what they wait for
     * @throws JobFailedException if a source fails; the message is one line
     * @throws ConnectorException if it cannot be written
     */
    public Recorded record(Duration atMost, Consumer<String> warnings) throws InterruptedException {
        RunningJob running = new EmbeddedRunner(RunSettings.defaults().withWarnings(warnings)).start(sources());
        long untilNs = clock.nowNs() + atMost.toNanos();
        boolean ended = false;
        while (!ended && !enough && clock.nowNs() - untilNs < 0) {
            ended = running.await(TICK);
        }
        if (!ended) {
            running.cancel();
        }
        long unread = 0;
        try {
            unread = running.await().recordsBad();
        } catch (JobFailedException e) {
            if (!stopped) {
                throw e;
            }
        }
        return seal(unread);
    }

    private TopologyGraph sources() {
        Topology topology = Topology.named(job);
        for (Node node : live) {
            Source<Object> source = Objects.requireNonNull(node.spec().source());
            Stream<Object> stream = topology.from(source).name(node.name());
            (node.parallelism() == 0 ? stream : stream.parallelism(node.parallelism())).to(Sinks.discard());
        }
        return TunedGraph.withSources(
                topology.graph(), (node, source) -> RecordedSource.of(source, new OneTape(node.name(), source)));
    }

    private synchronized Recorded seal(long unread) {
        enough = true;
        try {
            close(files.values());
            new Stretch(new ArrayList<>(files.keySet())).write(folder());
        } catch (IOException e) {
            throw unwritten(e);
        }
        return new Recorded(records, written, bad + unread, full);
    }

    private static void close(Iterable<DataOutputStream> all) throws IOException {
        for (DataOutputStream file : all) {
            file.close();
        }
    }

    private ConnectorException unwritten(IOException e) {
        return new ConnectorException(
                "cannot record to " + folder() + ": " + e.getMessage()
                        + "; record less, or in another directory, with THALWEG_OPTS=-Djava.io.tmpdir=DIR",
                e);
    }

    /** Has {@link #record} return soon. */
    public void stop() {
        stopped = true;
        enough = true;
    }

    public boolean isStopped() {
        return stopped;
    }

    /** Deletes the stretch. */
    @Override
    public void close() {
        synchronized (this) {
            enough = true;
            try {
                close(files.values());
            } catch (IOException e) {
                full = true; // nobody wants it any more
            }
        }
        folder.close();
    }

    private final class OneTape implements RecordedSource.Tape {
        private final String operator;
        private final Codec<Object> codec;
        private final Map<String, DataOutputStream> own = new LinkedHashMap<>();

        OneTape(String operator, Source<Object> source) {
            this.operator = operator;
            codec = source.type().codec();
        }

        @Override
        public void split(String split) {
            synchronized (StretchRecorder.this) {
                if (!enough) {
                    file(split);
                }
            }
        }

        /** Called with the lock. */
        private DataOutputStream file(String split) {
            DataOutputStream known = own.get(split);
            if (known != null) {
                return known;
            }
            Stretch.Split next = new Stretch.Split(operator, split, "split-" + files.size());
            try {
                DataOutputStream file = new DataOutputStream(
                        new BufferedOutputStream(Files.newOutputStream(folder().resolve(next.file())), BUFFER));
                files.put(next, file);
                own.put(split, file);
                return file;
            } catch (IOException e) {
                throw unwritten(e);
            }
        }

        @Override
        public void keep(String split, Object value) {
            synchronized (StretchRecorder.this) {
                if (enough) {
                    return;
                }
                bytes.clear();
                codec.encode(value, bytes);
                if (written + Integer.BYTES + bytes.size() > mostBytes) {
                    full = true;
                    enough = true;
                    return;
                }
                try {
                    DataOutputStream file = file(split);
                    file.writeInt(bytes.size());
                    bytes.writeTo(file);
                } catch (IOException e) {
                    throw unwritten(e);
                }
                written += Integer.BYTES + bytes.size();
                records.merge(operator, 1L, Long::sum);
                total++;
                if (total == mostRecords) {
                    enough = true;
                }
            }
        }

        @Override
        public void bad() {
            synchronized (StretchRecorder.this) {
                bad++;
            }
        }

        @Override
        public boolean enough() {
            return enough;
        }
    }
}
