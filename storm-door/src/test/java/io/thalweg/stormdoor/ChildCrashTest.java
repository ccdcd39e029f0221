// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.python.Packages;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Children of two tasks of a bolt killed with SIGKILL while tuples are on their way, acked. With {@code -Pcrash} alone; more kills:
 * {@code -Dthalweg.children=100}; the same choices again: {@code -Dthalweg.kills.seed=N}.
 */
@Timeout(3_600)
@Tag("one-jdk")
@Tag("crash")
final class ChildCrashTest {
    private static final int KILLS = Integer.getInteger("thalweg.children", 3);

    /** Less than is emitted between two kills of children with packed frames, whose pipes may hold more than that. */
    private static final int PENDING = 5_000;

    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    /** No other process of this machine has such an argument. */
    private static final String SCRIPT = "double_until_killed.py";

    @TempDir
    private Path resources;

    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffffff);
    private final Random random = new Random(seed);
    private final Journal journal = new Journal();

    @BeforeAll
    static void needPython() throws InterruptedException {
        Runs.needPython();
    }

    @AfterEach
    void forget() {
        journal.forget();
    }

    /**
     * More than is on the way to a child and from it: one that is killed several times before one of its tuples is acked ends the
     * topology. Queues and pipes hold less of JSON; of the rest no more is pending.
     */
    private static int betweenKills(String framing) {
        return framing.equals("json") ? 4_000 : 20_000;
    }

    /** Fewer of children that import pyarrow when they start, as that takes most of the time. */
    private static int kills(String framing) {
        return framing.equals("arrow") ? Math.max(3, KILLS / 3) : KILLS;
    }

    private static List<ProcessHandle> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(each -> each.info().commandLine().orElse("").contains(SCRIPT))
                .toList();
    }

    private static final String OF_TUPLES = """
            from thalweg.storm import Bolt

            class Double(Bolt):
                def process(self, tup):
                    self.emit([tup.values[0] * 2])

            Double().run()
            """;

    private static final String OF_BATCHES = """
            import pyarrow.compute as pc
            from thalweg.storm import ArrowBolt

            class Double(ArrowBolt):
                def process_batch(self, batch):
                    self.emit_batch({"n": pc.multiply(batch["n"], 2)})

            Double().run()
            """;

    private StormRun start(String framing, int many) throws IOException {
        boolean arrow = framing.equals("arrow");
        String python = arrow ? Packages.interpreter(Packages.virtualenv()).toString() : "python3";
        Files.writeString(resources.resolve(SCRIPT), arrow ? OF_BATCHES : OF_TUPLES);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Numbers(journal, many));
        builder.setBolt("double", new Shell.PythonBolt(SCRIPT, python, "n"), 2).shuffleGrouping("numbers");
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    int n = scene.journal.counter("ended").incrementAndGet();
                    scene.journal.await(
                            "a kill",
                            () -> n <= scene.journal.counter("allowed").get());
                    scene.journal.note("end", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("double");
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 3_600); // none fails because it waited for too long
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // an import of pyarrow may take long on a busy machine
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, PENDING);
        if (framing.equals("json")) {
            conf.put("topology.multilang.framings", List.of());
        }
        return StormDoor.of("kills", builder.createTopology(), conf, resources, ChildCrashTest.class.getClassLoader())
                .start(RunSettings.defaults());
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "msgpack", "arrow"})
    void shouldLoseNoTuple(String framing) throws Exception {
        int between = betweenKills(framing);
        int kills = kills(framing);
        int many = between * (kills + 2);
        StormRun run = start(framing, many);
        int killed = 0;
        for (int kill = 1; kill <= kills; kill++) {
            int next = kill * between + random.nextInt(between);
            allow(next + between - 1); // it must not end before the last kill
            journal.await(
                    "answers", () -> Runs.ended(run) || journal.counter("ended").get() >= next);
            boolean[] hit = new boolean[1]; // one that has just died is not there any more
            journal.await("a kill", () -> {
                List<ProcessHandle> children = children();
                hit[0] = children.size() == 2
                        && children.get(random.nextInt(children.size())).destroyForcibly();
                return hit[0] || Runs.ended(run);
            });
            killed += hit[0] ? 1 : 0;
        }
        allow(Integer.MAX_VALUE);
        journal.await(
                "all are acked",
                () -> Runs.ended(run)
                        || (journal.size("acked") >= many
                                && journal.page("acked").stream().distinct().count() == many));
        assertThat(run.stop(END, BUSY)).isTrue();

        String again = "-Dthalweg.kills.seed=" + seed;
        assertThat(killed).as(again).isEqualTo(kills);
        assertThat(journal.page("failed")).as(again).isEmpty();
        assertThat(journal.page("acked")).as(again).hasSize(many);
        assertThat(journal.page("end").stream().collect(Collectors.toSet()))
                .as(again)
                .isEqualTo(IntStream.range(0, many).mapToObj(n -> n * 2).collect(Collectors.toSet()));
        assertThat(children()).isEmpty();
    }

    private void allow(int tuples) {
        journal.counter("allowed").set(tuples);
        journal.note("allowed", tuples);
    }
}
