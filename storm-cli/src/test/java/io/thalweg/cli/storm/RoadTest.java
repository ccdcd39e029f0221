// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.graph.TopologyException;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import io.thalweg.run.RunnerInfo;
import io.thalweg.run.RunnerProvider;
import io.thalweg.stormdoor.StormRun;
import io.thalweg.stormlocal.Submissions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What is submitted goes to the road's runner: here the embedded engine, in Flink's place. */
@Timeout(600)
@ResourceLock("the submissions of a process")
final class RoadTest {
    private static final CountDownLatch EXECUTED = new CountDownLatch(1);
    private static final List<Path> JARS = List.of(Path.of("words.jar"));

    @TempDir
    private Path folder;

    private final List<Object> asked = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private final class Elsewhere implements RunnerProvider {
        @Override
        public RunnerInfo road() {
            return new RunnerInfo("flink", "HOST:PORT", "", List.of(), List.of(), List.of(), List.of());
        }

        @Override
        public Runner runner(
                RunSettings settings, @Nullable String address, Map<String, List<String>> options, List<Path> code) {
            asked.add(String.valueOf(address));
            asked.add(code);
            return new EmbeddedRunner(settings);
        }
    }

    static final class End extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            EXECUTED.countDown();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static StormTopology topology() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("words", new TestWordSpout());
        topology.setBolt("end", new End(), 2).shuffleGrouping("words");
        return topology.createTopology();
    }

    private Submissions submissions(@Nullable String address) {
        return Submissions.ofMain(new CommandHost(
                RoadTest.class.getClassLoader(),
                JARS,
                folder,
                new Road(new Elsewhere(), address),
                Duration.ZERO,
                null,
                told::add));
    }

    @Test
    void shouldRunWhatIsSubmittedThere() throws Exception {
        Submissions submissions = submissions("there:8081");
        Submissions.Submitted words = submissions.submit(
                "words", Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0, Config.TOPOLOGY_CLASSPATH, "lib/*"), topology());
        StormRun run = words.run();
        assertThat(EXECUTED.await(4, TimeUnit.MINUTES)).isTrue();
        assertThatThrownBy(run::deactivate)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("'words' runs elsewhere");
        assertThat(run.stop(Duration.ZERO)).isTrue();
        words.close();
        assertThat(asked).containsExactly("there:8081", JARS);
        assertThat(told)
                .containsExactly(
                        "topology 'words' sets topology.classpath, which has no effect here",
                        "topology 'words' runs on flink");
        assertThat(ComponentTable.lines("words", run))
                .startsWith("topology words")
                .anyMatch(line -> line.matches(" +end +2 +[1-9][0-9]* +0"));
    }

    /** Within this process, Storm's classes come from the same loader as the topology's. */
    @Test
    void shouldBringStormAlongIfThereIsNoCluster() throws Exception {
        Submissions.Submitted words =
                submissions(null).submit("words", Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0), topology());
        assertThat(words.run().stop(Duration.ZERO)).isTrue();
        words.close();
        Path storm = Path.of(
                Config.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertThat(asked.get(0)).isEqualTo("null");
        assertThat(List.copyOf((List<?>) asked.get(1)).get(0)).isEqualTo(JARS.get(0));
        assertThat(((List<?>) asked.get(1)).contains(storm))
                .as(storm.toString())
                .isTrue();
    }

    @Test
    void shouldSayWhatCannotRunThere() {
        Submissions submissions = submissions("there:8081");
        assertThatThrownBy(() -> submissions.submit("words", Map.of(), topology()))
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("topology.acker.executors is 1 if it is not set");
        assertThat(submissions.failures()).singleElement().isInstanceOf(TopologyException.class);
        assertThat(submissions.all()).isEmpty();
    }

    /** As the launcher has it: Flink's libraries come first, and its SLF4J is older than Storm's. */
    @Test
    void shouldEndWhereAnotherSlf4jIs() throws Exception {
        Path road = FluxJar.of(
                folder.resolve("road.jar"),
                file -> file.getFileName().toString().startsWith("OtherRoad"),
                Map.of("META-INF/services/" + RunnerProvider.class.getName(), OtherRoad.class.getName()));
        Path slf4j = Path.of("target", "flux", "slf4j-api-1.7.36.jar").toAbsolutePath();
        assertThat(slf4j).isRegularFile();
        Path yaml = Files.writeString(folder.resolve("words.yaml"), """
                name: words
                config: {topology.acker.executors: 0}
                spouts: [{id: words, className: org.apache.storm.testing.TestWordSpout, constructorArgs: [false]}]
                bolts: [{id: log, className: org.apache.storm.flux.wrappers.bolts.LogInfoBolt}]
                streams: [{from: words, to: log, grouping: {type: SHUFFLE}}]
                """);

        CommandLine.Outcome outcome = new CommandLine(folder)
                .withJars(slf4j, road)
                .run(FluxJar.core().toString(), "--flux=" + yaml, "--on=flink=there:8081", "--for=1s");

        assertThat(outcome.code()).as(outcome.error()).isZero();
        assertThat(outcome.error()).contains("topology 'words' runs on flink");
    }
}
