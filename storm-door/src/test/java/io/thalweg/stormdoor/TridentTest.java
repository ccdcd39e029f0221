// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.run.RunSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.org.apache.zookeeper.CreateMode;
import org.apache.storm.shade.org.apache.zookeeper.ZooKeeper;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;
import org.apache.storm.shade.org.apache.zookeeper.data.Id;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.FailedException;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.BaseFunction;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.FilterNull;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.operation.builtin.Sum;
import org.apache.storm.trident.spout.IBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topologies of Trident, with its own coordinators, states and functions. */
@Timeout(600)
final class TridentTest {
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration BUSY = Duration.ofSeconds(60);
    private static final int BATCHES = 12;
    private static final int LINES = 5;
    private static final List<ACL> ANYONE = Collections.singletonList(new ACL(31, new Id("world", "anyone")));

    @TempDir
    private Path folder;

    private final Journal journal = new Journal();

    @AfterEach
    void forget() {
        journal.forget();
    }

    /** Line {@code i} of a batch; the same whenever it is asked for. */
    private static String line(long batch, int i) {
        return "w" + (batch * 7 + i) % 13 + " w" + (batch + i) % 5;
    }

    /** Emits a line a tuple. Batches after the last one are empty. */
    private static final class Lines implements IBatchSpout {
        private static final long serialVersionUID = 1L;

        private final String journal;

        Lines(Journal journal) {
            this.journal = journal.id;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context) {}

        @Override
        public void emitBatch(long batch, TridentCollector collector) {
            Journal.of(journal).note("batches", batch);
            for (int i = 0; batch <= BATCHES && i < LINES; i++) {
                collector.emit(new Values(line(batch, i)));
            }
        }

        @Override
        public void ack(long batch) {
            Journal.of(journal).note("acked", batch);
        }

        @Override
        public void close() {}

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return new HashMap<>();
        }

        @Override
        public Fields getOutputFields() {
            return new Fields("line");
        }
    }

    /** Fails its batch once where a line has the word, when words before it have been counted. */
    private static final class Split extends BaseFunction {
        private static final long serialVersionUID = 1L;

        private final String journal;
        private final String fails;

        Split(Journal journal, String fails) {
            this.journal = journal.id;
            this.fails = fails;
        }

        @Override
        public void execute(TridentTuple tuple, TridentCollector collector) {
            String line = tuple.getString(0);
            for (String word : line.split(" ", -1)) {
                if (word.equals(fails) && Journal.of(journal).counter(line).incrementAndGet() == 1) {
                    throw new FailedException("once");
                }
                collector.emit(new Values(word));
            }
        }
    }

    private TridentState counts(TridentTopology topology, String fails) {
        return topology.newStream("lines", new Lines(journal))
                .each(new Fields("line"), new Split(journal, fails), new Fields("word"))
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
                .parallelismHint(3);
    }

    private StormTopology counting(String fails) {
        TridentTopology topology = new TridentTopology();
        String its = journal.id;
        counts(topology, fails)
                .newValuesStream()
                .peek(tuple -> Journal.of(its)
                        .note("counted", Map.entry(String.valueOf(tuple.getString(0)), (long) tuple.getLong(1))));
        return topology.build();
    }

    private static Map<String, Long> expected() {
        Map<String, Long> all = new TreeMap<>();
        for (long batch = 1; batch <= BATCHES; batch++) {
            for (int i = 0; i < LINES; i++) {
                for (String word : line(batch, i).split(" ", -1)) {
                    all.merge(word, 1L, Long::sum);
                }
            }
        }
        return all;
    }

    /** The largest count of each word, which is too large if something was counted twice. */
    private Map<String, Long> counted() {
        Map<String, Long> all = new TreeMap<>();
        for (Object each : journal.page("counted")) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
            all.merge((String) entry.getKey(), (Long) entry.getValue(), Math::max);
        }
        return all;
    }

    private static Map<String, Object> conf(Object... more) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_TRIDENT_BATCH_EMIT_INTERVAL_MILLIS, 20);
        for (int i = 0; i < more.length; i += 2) {
            conf.put((String) more[i], more[i + 1]);
        }
        return conf;
    }

    private static StormDoor door(StormTopology topology, Map<String, Object> conf) {
        return StormDoor.of("trident", topology, conf, null, TridentTest.class.getClassLoader());
    }

    private void awaitAcked(StormRun run, long batch) {
        journal.await(
                "batch " + batch + " is acked",
                () -> Runs.ended(run) || journal.page("acked").contains(batch));
    }

    @Test
    void shouldCountEachTupleOnce_whereBatchesFail() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        StormRun run = door(counting("w3"), conf()).start(RunSettings.defaults().withWarnings(told::add));
        awaitAcked(run, BATCHES);
        assertThat(run.stop(END, BUSY)).isTrue();

        assertThat(counted()).isEqualTo(expected());
        assertThat(journal.page("batches")).as("some were emitted again").hasSizeGreaterThan((int)
                journal.page("batches").stream().distinct().count());
        assertThat(told)
                .contains(
                        "topology 'trident' keeps its transactions of Trident until it ends, and begins with the first one"
                                + " again then; where state outlives the run, keep them, too: --state DIR, or topology.state.directory");
    }

    @Test
    void shouldGoOnWithTheNextTransaction_ifTheyAreKept() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        Map<String, Object> conf = conf(StormDoor.STATE_DIRECTORY, folder.toString());
        RunSettings settings = RunSettings.defaults().withWarnings(told::add);
        StormRun first = door(counting("none"), conf).start(settings);
        awaitAcked(first, 3);
        assertThatThrownBy(() -> door(counting("none"), conf).start(settings))
                .isInstanceOf(ConnectorException.class)
                .hasMessageContaining("is used by another run");
        assertThat(first.stop(END, BUSY)).isTrue();
        long acked = journal.page("acked").stream()
                .mapToLong(batch -> (Long) batch)
                .max()
                .orElseThrow();
        int before = journal.size("batches");

        StormRun second = door(counting("none"), conf).start(settings);
        journal.await("batches", before + 1);
        assertThat(second.stop(END, BUSY)).isTrue();
        assertThat((Long) journal.page("batches").get(before)).isGreaterThan(acked);
        assertThat(told).isEmpty();
    }

    /** As a user's own ZooKeeper. */
    @Test
    void shouldKeepTransactionsElsewhere_ifTheConfSaysSo() throws Exception {
        try (TridentTransactions elsewhere = TridentTransactions.start(folder.resolve("elsewhere"))) {
            Map<String, Object> conf = conf();
            elsewhere.tell(conf);
            List<String> told = new CopyOnWriteArrayList<>();
            for (int runs = 1; runs <= 2; runs++) {
                StormRun run = door(counting("none"), conf)
                        .start(RunSettings.defaults().withWarnings(told::add));
                int before = journal.size("acked");
                journal.await("acked", before + 2);
                assertThat(run.stop(END, BUSY)).isTrue();
            }
            assertThat(journal.page("acked")).doesNotHaveDuplicates();
            assertThat(told).isEmpty();
        }
    }

    @Test
    void shouldAnswerCalls() throws Exception {
        try (DrpcCalls calls = new DrpcCalls()) {
            TridentTopology topology = new TridentTopology();
            TridentState counts = counts(topology, "none");
            topology.newDRPCStream("count", calls)
                    .each(new Fields("args"), new Split(journal, "none"), new Fields("word"))
                    .groupBy(new Fields("word"))
                    .stateQuery(counts, new Fields("word"), new MapGet(), new Fields("count"))
                    .each(new Fields("count"), new FilterNull())
                    .aggregate(new Fields("count"), new Sum(), new Fields("sum"));
            StormRun run = door(topology.build(), conf()).start(RunSettings.defaults());
            awaitAcked(run, BATCHES);

            long sum = expected().get("w0") + expected().get("w4");
            assertThat(calls.execute("count", "w0 w4 nothing")).isEqualTo("[[" + sum + "]]");
            assertThat(run.stop(END, BUSY)).isTrue();
        }
    }

    @Test
    void shouldRefuseWhatItsBatchesCannotDoWithout() {
        assertThatThrownBy(() -> door(counting("none"), conf(Config.TOPOLOGY_ACKER_EXECUTORS, 0)))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining(
                        "it is a Trident topology, whose batches are complete when their tuples are acked");
        assertThatThrownBy(() -> door(counting("none"), conf()).portable())
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("coordinated within one process only; run the topology in this process");
    }

    @Test
    void shouldSayWhereTransactionsCannotBeKept() throws Exception {
        Path file = Files.writeString(folder.resolve("trident"), "");
        assertThatThrownBy(() -> TridentTransactions.start(file))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("the transactions of Trident cannot be kept in " + file);
    }

    /** At once, and not after as long as a server may take to begin. */
    @Test
    void shouldSayThatTransactionsAreDamaged() throws Exception {
        Path damaged = folder.resolve("damaged");
        Path logs = Files.createDirectories(damaged.resolve("data/version-2"));
        Files.writeString(logs.resolve("log.1"), "no transactions, but a text of some length");
        assertThatThrownBy(() -> TridentTransactions.start(damaged))
                .isInstanceOf(ConnectorException.class)
                .hasMessageStartingWith("the transactions of Trident cannot be kept in " + damaged)
                .hasMessageContaining("No snapshot found, but there are log entries")
                .hasMessageEndingWith(
                        "; if its files are damaged, restore them from a copy, or remove it to begin with the"
                                + " first transaction");
    }

    /** And nothing is printed, since standard output is the command's. */
    @Test
    void shouldRemoveOldTransactionsInSilence() throws Exception {
        Path own = folder.resolve("own");
        Path files = own.resolve("data/version-2");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            for (int run = 0; run < 5; run++) {
                try (TridentTransactions its = TridentTransactions.start(own)) {
                    Map<String, Object> conf = new HashMap<>();
                    its.tell(conf);
                    String server = "127.0.0.1:" + conf.get(Config.TRANSACTIONAL_ZOOKEEPER_PORT);
                    ZooKeeper client = new ZooKeeper(server, 60_000, event -> {});
                    try {
                        client.create("/run" + run, new byte[0], ANYONE, CreateMode.PERSISTENT);
                        assertThat(client.getChildren("/", false)).contains("run0", "run" + run);
                    } finally {
                        client.close();
                    }
                }
            }
            try (TridentTransactions last = TridentTransactions.start(own)) {
                journal.await("old snapshots are removed", () -> snapshots(files) == 3);
                assertThat(last.failure()).isNull();
            }
        } finally {
            System.setOut(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private static int snapshots(Path files) {
        String[] names = files.toFile().list((folder, name) -> name.startsWith("snapshot."));
        return names == null ? 0 : names.length;
    }
}
