// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.BadRecordListener;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.Runner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rules for what a run writes itself, for any runner within this JVM: a job must not read its own dead letters or checkpoints. */
@Timeout(300)
public abstract class OutputRulesContract {
    @TempDir
    private Path folder;

    /** A runner with these settings. */
    protected abstract Runner runner(RunSettings settings);

    /** Reads all that matches, whatever it is. */
    private record AllThatMatches(String pattern) implements Source<String> {
        @Override
        public String name() {
            return pattern;
        }

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public List<String> splits(int parallelism) {
            throw new IllegalStateException("splits are listed");
        }

        @Override
        public SplitReader<String> open(String split, SourceContext context) {
            throw new IllegalStateException("a split is opened");
        }

        @Override
        public boolean replayable() {
            return true;
        }

        @Override
        public boolean reads(WriteTarget place) {
            return place.files().stream().anyMatch(file -> Pattern.matches(pattern, file.toString()));
        }
    }

    private record OneFile(String path) implements Sink<String> {
        @Override
        public String name() {
            return path;
        }

        @Override
        public List<WriteTarget> writes() {
            return List.of(new WriteTarget.File(Path.of(path)));
        }

        @Override
        public SinkWriter<String> open(SinkContext context) {
            throw new IllegalStateException("the sink is opened");
        }

        @Override
        public boolean immediate() {
            return true;
        }
    }

    private record Letters(Path path) implements BadRecordListener {
        @Override
        public void bad(String topology, String operator, BadRecord record) {
            throw new IllegalStateException("a record is bad");
        }

        @Override
        public List<WriteTarget> writes() {
            return List.of(new WriteTarget.File(path));
        }
    }

    /** @param pattern of what is read, in the folder */
    private TopologyGraph reading(String pattern) {
        Topology topology = Topology.named("own");
        topology.from(new AllThatMatches(Pattern.quote(WriteTarget.real(folder) + "/") + pattern))
                .name("rows")
                .to(new OneFile(folder + "/out.csv"))
                .name("out");
        return topology.graph();
    }

    private RunSettings lettersIn(String file) {
        return RunSettings.defaults().withParallelism(2).withBadRecords(new Letters(folder.resolve(file)));
    }

    private RunSettings checkpointsIn(String directory) {
        return RunSettings.defaults()
                .withParallelism(2)
                .withGuarantee(Guarantee.AT_LEAST_ONCE, CheckpointSettings.in(folder.resolve(directory)));
    }

    private void shouldBeRefused(String pattern, RunSettings settings, String operator, String... words) {
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> runner(settings).start(reading(pattern)))
                .withMessageStartingWith("topology 'own', operator '" + operator + "': ")
                .withMessageContainingAll(words);
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> runner(settings).plan(reading(pattern)));
        try (Stream<Path> made = Files.list(folder)) {
            assertThat(made).isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void shouldBeAllowed(String pattern, RunSettings settings) {
        assertThat(runner(settings).plan(reading(pattern)).topology()).isEqualTo("own");
    }

    @Test
    void shouldRefuseDeadLettersThatTheJobReads() {
        shouldBeRefused(
                ".*\\.jsonl",
                lettersIn("own.dead-letters.jsonl"),
                "rows",
                "the dead letters of the job would be written to " + WriteTarget.real(folder)
                        + "/own.dead-letters.jsonl",
                "--dead-letters");
        shouldBeAllowed("in/.*\\.jsonl", lettersIn("own.dead-letters.jsonl"));
    }

    @Test
    void shouldRefuseDeadLettersInTheOutputOfASink() {
        shouldBeRefused("in.csv", lettersIn("out.csv"), "out", WriteTarget.real(folder) + "/out.csv", "--dead-letters");
        shouldBeAllowed("in.csv", lettersIn("letters.csv"));
    }

    @Test
    void shouldTakeNoHeedOfDeadLetters_ifTheFirstOneFailsTheJob() {
        shouldBeAllowed(".*\\.jsonl", lettersIn("own.dead-letters.jsonl").withFailOnBad(true));
    }

    @Test
    void shouldRefuseCheckpointsThatTheJobReads() {
        shouldBeRefused(
                "kept/.*",
                checkpointsIn("kept"),
                "rows",
                "the checkpoints of the job would be written to " + WriteTarget.real(folder) + "/kept",
                "--checkpoint-dir");
        shouldBeAllowed("kept/[^/]*\\.csv", checkpointsIn("kept"));
        shouldBeAllowed("in/.*", checkpointsIn("kept"));
    }
}
