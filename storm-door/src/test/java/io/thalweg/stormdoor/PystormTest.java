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
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Components of pystorm, the library of streamparse's components, as its users write them. */
@Timeout(900)
final class PystormTest {
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

    private static String interpreter;

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeAll
    static void install() {
        interpreter = Packages.interpreter(Packages.withPystorm()).toString();
    }

    @AfterEach
    void forget() {
        journal.forget();
    }

    private void script(String name, String text) throws IOException {
        Files.writeString(resources.resolve(name), text);
    }

    private static Map<String, Integer> counted() {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            for (String word : SENTENCES.get(i % SENTENCES.size()).split(" ")) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** A sentence fails at its first try, and the spout emits it again. */
    @Test
    void shouldCountWords() throws Exception {
        script("sentences.py", """
                import time
                from pystorm import ReliableSpout

                class Sentences(ReliableSpout):
                    def initialize(self, conf, context):
                        self.sentences = conf["sentences"]
                        self.many = conf["many"]
                        self.at = 0

                    def next_tuple(self):
                        if self.at == self.many:
                            time.sleep(0.01)
                            return
                        self.emit([self.sentences[self.at % len(self.sentences)], self.at], tup_id=self.at)
                        self.at += 1

                Sentences().run()
                """);
        script("split.py", """
                from pystorm import Bolt

                class Split(Bolt):
                    auto_ack = False

                    def initialize(self, conf, context):
                        self.failed = False

                    def process(self, tup):
                        sentence, number = tup.values
                        if number == 7 and not self.failed:
                            self.failed = True
                            print("sentence 7 has to come again")
                            self.fail(tup)
                            return
                        for word in sentence.split():
                            self.emit([word])
                        self.ack(tup)

                Split().run()
                """);
        script("count.py", """
                from collections import Counter
                from pystorm import Bolt

                class Count(Bolt):
                    def initialize(self, conf, context):
                        self.counts = Counter()

                    def process(self, tup):
                        word = tup.values[0]
                        self.counts[word] += 1
                        self.logger.debug("%s %d", word, self.counts[word])
                        self.emit([word, self.counts[word]])

                Count().run()
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sentences", new Shell.PythonSpout("sentences.py", interpreter, "sentence", "number"));
        builder.setBolt("split", new Shell.PythonBolt("split.py", interpreter, "word"))
                .shuffleGrouping("sentences");
        builder.setBolt("count", new Shell.PythonBolt("count.py", interpreter, "word", "count"), 2)
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
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // Python may take long to start on a busy machine
        StormRun run = StormDoor.of(
                        "pystorm",
                        builder.createTopology(),
                        conf,
                        resources,
                        getClass().getClassLoader())
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
