// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.task.IMetricsContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.spout.IBatchSpout;
import org.apache.storm.trident.state.BaseStateUpdater;
import org.apache.storm.trident.state.State;
import org.apache.storm.trident.state.StateFactory;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Counts words by Trident, in a process that can be killed. Its state is in files that know the last transaction, as a database would. */
public final class TridentJob {
    static final int BATCHES = 90;
    private static final int WORDS = 10;

    private TridentJob() {}

    /** The folder of everything; then perhaps the number of the batch that fills the disk on which state is. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        long fills = arguments.length > 1 ? Long.parseLong(arguments[1]) : 0;
        try {
            run(folder, fills);
        } catch (JobFailedException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Path folder, long fills) throws InterruptedException {
        TridentTopology topology = new TridentTopology();
        topology.newStream("words", new Words(folder.toString(), fills))
                .partitionBy(new Fields("word"))
                .partitionPersist(new InFiles(folder.toString()), new Fields("word"), new Adding(), new Fields())
                .parallelismHint(2);
        Map<String, Object> conf = new HashMap<>();
        conf.put(StormDoor.STATE_DIRECTORY, folder.resolve("state").toString());
        conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 10);
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 900); // only a kill makes a batch come again
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 3);
        StormRun run = StormDoor.of("words", topology.build(), conf, null, TridentJob.class.getClassLoader())
                .start(RunSettings.defaults());
        while (!Files.exists(folder.resolve("stop")) && !run.await(Duration.ofMillis(20))) {
            // until all are acked
        }
        run.stop(Duration.ofMinutes(1));
    }

    private static String word(long batch, int i) {
        return "w" + (batch * 7 + i) % 23;
    }

    static Map<String, Long> expected() {
        Map<String, Long> all = new TreeMap<>();
        for (long batch = 1; batch <= BATCHES; batch++) {
            for (int i = 0; i < WORDS; i++) {
                all.merge(word(batch, i), 1L, Long::sum);
            }
        }
        return all;
    }

    /** In the files of both partitions. */
    static Map<String, Long> counted(Path folder) throws IOException {
        Map<String, Long> all = new TreeMap<>();
        for (int partition = 0; partition < 2; partition++) {
            for (String line : Files.readAllLines(folder.resolve("counts-" + partition))) {
                String[] parts = line.split(" ", -1);
                if (!parts[0].isEmpty()) {
                    all.merge(parts[0], Long.parseLong(parts[1]), Long::sum);
                }
            }
        }
        return all;
    }

    /** Batches in the order in which they were emitted or acked, the last line perhaps in part. */
    static List<Long> batches(Path folder, String what) {
        List<Long> all = new ArrayList<>();
        Path file = folder.resolve(what);
        try {
            for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                if (line.endsWith(".")) {
                    all.add(Long.parseLong(line.substring(0, line.length() - 1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** A batch has the same words whenever it is emitted. */
    private static final class Words implements IBatchSpout {
        private static final long serialVersionUID = 1L;
        private final String folder;
        private final long fills;

        Words(String folder, long fills) {
            this.folder = folder;
            this.fills = fills;
        }

        private void note(String what, long batch) {
            try {
                Files.writeString(
                        Path.of(folder, what), batch + ".\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context) {}

        @Override
        public void emitBatch(long batch, TridentCollector collector) {
            note("emitted", batch);
            if (batch == fills) {
                fill(Path.of(folder, "state", "filler"));
            }
            for (int i = 0; batch <= BATCHES && i < WORDS; i++) {
                collector.emit(new Values(word(batch, i)));
            }
        }

        private static void fill(Path filler) {
            try (OutputStream out = Files.newOutputStream(filler)) {
                while (true) {
                    out.write(new byte[512]);
                }
            } catch (IOException e) {
                // it is full
            }
        }

        @Override
        public void ack(long batch) {
            note("acked", batch);
        }

        @Override
        public void close() {}

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return new HashMap<>();
        }

        @Override
        public Fields getOutputFields() {
            return new Fields("word");
        }
    }

    private static final class Adding extends BaseStateUpdater<Counts> {
        private static final long serialVersionUID = 1L;

        @Override
        public void updateState(Counts state, List<TridentTuple> tuples, TridentCollector collector) {
            tuples.forEach(tuple -> state.pending.merge(tuple.getString(0), 1L, Long::sum));
        }
    }

    private static final class InFiles implements StateFactory {
        private static final long serialVersionUID = 1L;
        private final String folder;

        InFiles(String folder) {
            this.folder = folder;
        }

        @Override
        public State makeState(Map<String, Object> conf, IMetricsContext metrics, int partition, int partitions) {
            return new Counts(Path.of(folder, "counts-" + partition));
        }
    }

    /** The counts of a partition, and the last transaction that is in them. */
    private static final class Counts implements State {
        private final Path file;
        private final Map<String, Long> counts = new TreeMap<>();
        private final Map<String, Long> pending = new TreeMap<>();
        private long last;

        Counts(Path file) {
            this.file = file;
            try {
                for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                    String[] parts = line.split(" ", -1);
                    if (parts[0].isEmpty()) {
                        last = Long.parseLong(parts[1]);
                    } else {
                        counts.put(parts[0], Long.parseLong(parts[1]));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void beginCommit(Long transaction) {
            pending.clear();
        }

        @Override
        public void commit(Long transaction) {
            if (transaction <= last) {
                return; // applied by a process that was killed then
            }
            last = transaction;
            pending.forEach((word, times) -> counts.merge(word, times, Long::sum));
            StringBuilder text = new StringBuilder(" " + last + "\n");
            counts.forEach(
                    (word, times) -> text.append(word).append(' ').append(times).append('\n'));
            try {
                Path made = file.resolveSibling(file.getFileName() + ".new");
                Files.writeString(made, text);
                Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
