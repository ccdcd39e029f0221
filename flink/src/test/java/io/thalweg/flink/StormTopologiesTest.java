// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.stormdoor.Journal;
import io.thalweg.stormdoor.Numbers;
import io.thalweg.stormdoor.Script;
import io.thalweg.stormdoor.StormDoor;
import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Topologies of Storm on Flink: a result, and how they fail. */
@Timeout(900)
@Tag("integration")
final class StormTopologiesTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    private final Journal journal = new Journal();

    @AfterEach
    void end() {
        journal.forget();
    }

    /** Emits sentences, each task its share. */
    static final class Sentences extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final ArrayList<String> all;
        private transient SpoutOutputCollector collector;
        private transient int next;
        private transient int tasks;

        Sentences(List<String> all) {
            this.all = new ArrayList<>(all);
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector output) {
            collector = output;
            next = context.getThisTaskIndex();
            tasks = context.getComponentTasks(context.getThisComponentId()).size();
        }

        @Override
        public void nextTuple() {
            if (next < all.size()) {
                collector.emit(new Values(all.get(next)));
                next += tasks;
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("sentence"));
        }
    }

    static final class Split extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            for (String word : tuple.getString(0).split(" ")) {
                collector.emit(new Values(word));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    static final class Count extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        private transient Map<String, Integer> counts;
        private transient OutputCollector collector;
        private transient int task;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector output) {
            counts = new HashMap<>();
            collector = output;
            task = context.getThisTaskId();
        }

        @Override
        public void execute(Tuple tuple) {
            int count = counts.merge(tuple.getStringByField("word"), 1, Integer::sum);
            collector.emit(tuple, new Values(tuple.getString(0), count, task));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word", "count", "task"));
        }
    }

    @Test
    void shouldCountWords() throws Exception {
        Random random = new Random(84);
        List<String> sentences = new ArrayList<>();
        Map<String, Integer> expected = new HashMap<>();
        int words = 0;
        for (int i = 0; i < 2_000; i++) {
            StringBuilder sentence = new StringBuilder();
            for (int n = random.nextInt(9); n >= 0; n--) {
                String word = "w" + random.nextInt(50);
                sentence.append(word).append(' ');
                expected.merge(word, 1, Integer::sum);
                words++;
            }
            sentences.add(sentence.toString().strip());
        }
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("sentences", new Sentences(sentences), 2);
        topology.setBolt("split", new Split(), 3).shuffleGrouping("sentences");
        topology.setBolt("count", new Count(), 2).setNumTasks(5).fieldsGrouping("split", new Fields("word"));
        topology.setBolt("note", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("counts", tuple.getValues());
                    scene.collector.ack(tuple);
                }))
                .globalGrouping("count");

        StormRun run = start(topology, FLINK.runner(RunSettings.defaults()));
        journal.await("counts", words);
        assertThat(run.stop(Duration.ZERO)).isTrue();

        assertThat(journal.size("counts")).isEqualTo(words);
        Map<String, Integer> counted = new HashMap<>();
        Map<String, Set<Object>> tasks = new HashMap<>();
        Set<Object> used = new HashSet<>();
        for (Object each : journal.page("counts")) {
            List<?> row = (List<?>) each;
            counted.merge((String) row.get(0), (Integer) row.get(1), Math::max);
            tasks.computeIfAbsent((String) row.get(0), any -> new HashSet<>()).add(row.get(2));
            used.add(row.get(2));
        }
        assertThat(counted).isEqualTo(expected);
        assertThat(tasks.values()).as("tasks of one word").allMatch(its -> its.size() == 1);
        assertThat(used).as("tasks that count").hasSize(5);
        assertThat(run.stats()).isEmpty();
        assertThat(run.info().get_executors()).hasSize(8).noneMatch(ExecutorSummary::is_set_stats);
        assertThat(run.job().stats().recordsIn()).isEqualTo(sentences.size());
    }

    private static StormRun start(TopologyBuilder builder, Runner flink) {
        StormTopology topology = builder.createTopology();
        // region flink
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0);
        StormRun run = StormDoor.of(topology, conf).start(flink); // FlinkRunner.on("localhost:8081", …)
        // endregion
        return run;
    }

    private TopologyBuilder numbers(Script.Act act) {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 10));
        topology.setBolt("act", new Script(journal, act).emits("n")).shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> scene.collector.ack(tuple)))
                .shuffleGrouping("act");
        return topology;
    }

    private void shouldFail(Script.Act act, String... words) {
        StormRun run = start(numbers(act), FLINK.runner(RunSettings.defaults()));
        assertThatThrownBy(run::await)
                .isInstanceOf(JobFailedException.class)
                .hasMessageContainingAll(words)
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldFailByTheNameOfTheBolt() {
        shouldFail(
                (tuple, scene) -> {
                    throw new IllegalStateException("no such table");
                },
                "'act'",
                "no such table");
    }

    /** Whatever the bolt makes of the exception: nothing is lost silently. */
    @Test
    void shouldFailIfAValueCannotBeSerialized() {
        shouldFail(
                (tuple, scene) -> {
                    try {
                        scene.collector.emit(new Values(new BitSet()));
                    } catch (RuntimeException e) {
                        scene.journal.note("caught", e);
                    }
                },
                "'act'",
                "java.util.BitSet",
                "topology.kryo.register");
        assertThat(journal.size("caught")).isPositive();
    }

    /** Of such a thread, nobody sees the exception. */
    @Test
    void shouldFailIfAThreadOfABoltsOwnCannotEmit() {
        shouldFail(
                (tuple, scene) -> scene.context.getSharedExecutor().execute(() -> {
                    try {
                        scene.collector.emit("nowhere", new Values(1));
                    } catch (RuntimeException e) {
                        scene.collector.emit(new Values(new BitSet()));
                    }
                }),
                "'act'",
                "java.util.BitSet");
    }

    /** A child writes from a thread of its own, and its script comes from a folder that is sent along. */
    @Test
    void shouldRunAChildInPython(@TempDir Path resources) throws Exception {
        assumeTrue(hasPython(), "python3 is not installed");
        Files.writeString(resources.resolve("double.py"), """
                from thalweg.storm import Bolt


                class Double(Bolt):
                    def process(self, tup):
                        self.emit([2 * tup.values[0]])


                Double().run()
                """);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 100), 2);
        topology.setBolt("double", new Twice(), 2).shuffleGrouping("numbers");
        topology.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("twice", tuple.getInteger(0));
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("double");
        StormRun run = StormDoor.of(
                        "child",
                        topology.createTopology(),
                        Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0),
                        resources,
                        getClass().getClassLoader())
                .start(FLINK.runner(RunSettings.defaults()));
        journal.await("a hundred, or it has failed", () -> journal.size("twice") >= 100 || ended(run));
        assertThat(run.stop(Duration.ZERO)).isTrue();
        assertThat(journal.page("twice"))
                .containsExactlyInAnyOrder(
                        IntStream.range(0, 100).mapToObj(n -> (Object) (2 * n)).toArray());
    }

    private static boolean ended(StormRun run) {
        try {
            return run.await(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Its script doubles numbers. */
    static final class Twice extends ShellBolt implements IRichBolt {
        private static final long serialVersionUID = 1L;

        Twice() {
            super("python3", "double.py");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("n"));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return Map.of();
        }
    }

    @Test
    void shouldRefuseAGuarantee(@TempDir Path folder) {
        RunSettings settings =
                RunSettings.defaults().withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder));
        assertThatThrownBy(() -> start(numbers((tuple, scene) -> {}), FLINK.runner(settings)))
                .hasMessageContainingAll("'numbers'", "spout numbers", "cannot be read again");
    }
}
