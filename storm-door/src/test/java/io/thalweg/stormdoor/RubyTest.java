// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Components in Ruby with the storm.rb of Storm's jars, run by JRuby. */
@Timeout(900)
final class RubyTest {
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

    private String interpreter = "";

    @TempDir
    private Path resources;

    private final Journal journal = new Journal();

    @BeforeEach
    void install() throws IOException {
        Path jruby = Path.of("target", "ruby", "jruby.jar").toAbsolutePath();
        assertThat(jruby).isRegularFile();
        Path ruby = Files.writeString(resources.resolve("ruby"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar '%s' --dev -E UTF-8 "$@"
                """.formatted(
                        Path.of(System.getProperty("java.home"), "bin", "java"), jruby));
        assertThat(ruby.toFile().setExecutable(true)).isTrue();
        interpreter = ruby.toString();
        try (InputStream in = Objects.requireNonNull(RubyTest.class.getResourceAsStream("/resources/storm.rb"))) {
            Files.copy(in, resources.resolve("storm.rb"));
        }
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
        script("sentences.rb", """
                require "./storm"

                class Sentences < Storm::Spout
                  def open(conf, context)
                    @sentences = conf["sentences"]
                    @many = conf["many"]
                    @todo = (0...@many).to_a
                  end

                  def nextTuple
                    number = @todo.shift
                    if number.nil?
                      sleep 0.01
                    else
                      emit [@sentences[number % @sentences.size], number], :id => number
                    end
                  end

                  def fail(id)
                    @todo << id
                  end
                end

                Sentences.new.run
                """);
        script("split.rb", """
                require "./storm"

                class Split < Storm::Bolt
                  def process(tup)
                    sentence, number = tup.values
                    if number == 7 && !@failed
                      @failed = true
                      logInfo "sentence 7 has to come again"
                      fail tup
                      return
                    end
                    sentence.split.each { |word| emit [word], :anchor => tup }
                    ack tup
                  end
                end

                Split.new.run
                """);
        script("count.rb", """
                require "./storm"

                class Count < Storm::Bolt
                  def prepare(conf, context)
                    @counts = Hash.new 0
                  end

                  def process(tup)
                    word = tup.values[0]
                    @counts[word] += 1
                    emit [word, @counts[word]], :anchor => tup
                    ack tup
                  end
                end

                Count.new.run
                """);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sentences", new Shell.PythonSpout("sentences.rb", interpreter, "sentence", "number"));
        builder.setBolt("split", new Shell.PythonBolt("split.rb", interpreter, "word"))
                .shuffleGrouping("sentences");
        builder.setBolt("count", new Shell.PythonBolt("count.rb", interpreter, "word", "count"), 2)
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
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 600); // JRuby may take long to start on a busy machine
        StormRun run = StormDoor.of(
                        "ruby",
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
