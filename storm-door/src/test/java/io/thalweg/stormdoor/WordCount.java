// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** A word count whose spout, and two bolts, are scripts; a sentence fails at its first try, and the spout emits it again. */
final class WordCount {
    private static final Duration END = Duration.ofSeconds(5);

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    private static final List<String> SENTENCES = List.of(
            "the river finds the valley",
            "the valley finds no river",
            "a line down the lowest points",
            "no line is straight",
            "ein Fluß fließt");

    private static final int MANY = 200;

    private WordCount() {}

    private static Map<String, Integer> counted() {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            for (String word : SENTENCES.get(i % SENTENCES.size()).split(" ")) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Runs sentences, split and count, and checks what comes of them. */
    static void run(String name, String suffix, String interpreter, Path resources, Journal journal) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sentences", new Shell.PythonSpout("sentences." + suffix, interpreter, "sentence", "number"));
        builder.setBolt("split", new Shell.PythonBolt("split." + suffix, interpreter, "word"))
                .shuffleGrouping("sentences");
        builder.setBolt("count", new Shell.PythonBolt("count." + suffix, interpreter, "word", "count"), 2)
                .fieldsGrouping("split", new Fields("word"));
        builder.setBolt("end", new Script(journal, (tuple, scene) -> {
                    scene.journal.note("end", tuple.getValues());
                    scene.collector.ack(tuple);
                }))
                .shuffleGrouping("count");
        Map<String, Object> conf = new HashMap<>();
        conf.put("sentences", SENTENCES);
        conf.put("many", MANY);
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 600); // what a test counts as failed was failed by a bolt
        conf.put(
                Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS,
                600); // an interpreter may take long to start on a busy machine
        StormRun run = StormDoor.of(name, builder.createTopology(), conf, resources, WordCount.class.getClassLoader())
                .start(RunSettings.defaults());

        journal.await(
                "all are acked",
                () -> Runs.ended(run) || Runs.of(run.stats(), "sentences").acked() == MANY);
        assertThat(run.stop(END, BUSY)).isTrue();

        Map<Object, Integer> counts = new HashMap<>();
        for (Object each : journal.page("end")) {
            List<?> word = (List<?>) each;
            counts.merge(word.get(0), ((Number) word.get(1)).intValue(), Math::max);
        }
        assertThat(counts).isEqualTo(counted());
        List<ComponentStats> stats = run.stats();
        assertThat(journal.page("end"))
                .hasSize(counted().values().stream().mapToInt(Integer::intValue).sum());
        assertThat(Runs.of(stats, "sentences").failed()).isEqualTo(1);
        assertThat(stats).allMatch(each -> each.errors() == 0);
    }
}
