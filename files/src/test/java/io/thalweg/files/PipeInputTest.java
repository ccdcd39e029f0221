// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import io.thalweg.run.RunningJob;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pipes: what comes once, when it comes. */
@Timeout(300)
final class PipeInputTest {
    @TempDir
    Path directory;

    private Path pipe;

    @BeforeEach
    void makePipe() throws Exception {
        pipe = directory.resolve("in put#1");
        try {
            assumeThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        } catch (IOException e) {
            assumeThat(e).as("there are no named pipes").isNull();
        }
    }

    @Test
    void shouldReadANamedPipe() throws Exception {
        write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        assertThat(Reading.all(TextLines.read(pipe.toString()), new FakeContext()))
                .containsExactly("one", "two");
    }

    @Test
    void shouldUnpackAPipe() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write("one\ntwo".getBytes(StandardCharsets.UTF_8));
        }
        write(bytes.toByteArray());
        assertThat(Reading.all(TextLines.read(pipe.toString()), new FakeContext()))
                .containsExactly("one", "two");
    }

    @Test
    void shouldTakeAnEmptyPipeForAnEmptyFile() throws Exception {
        write(new byte[0]);
        assertThat(Reading.all(TextLines.read(pipe.toString()), new FakeContext()))
                .isEmpty();
    }

    @Test
    void shouldNotHoldAJobThatIsCancelledBeforeAnybodyWrites() throws Exception {
        Topology topology = Topology.named("waits");
        topology.from(TextLines.read(pipe.toString())).to(Sinks.discard());
        RunningJob job = new EmbeddedRunner(RunSettings.defaults()).start(topology.graph());
        job.cancel();
        job.await();
    }

    @Test
    void shouldSayThatNobodyWrites() throws Exception {
        Topology topology = Topology.named("waits");
        topology.from(TextLines.read(pipe.toString())).name("lines").to(Sinks.discard());
        AtomicLong seconds = new AtomicLong();
        BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
        RunSettings settings = RunSettings.defaults()
                .withWarnings(warnings::add)
                .withClock(() -> seconds.incrementAndGet() * 1_000_000_000);
        RunningJob job = new EmbeddedRunner(settings).start(topology.graph());
        assertThat(warnings.take())
                .contains("lines")
                .endsWith("it waits for its input to open, which for a named pipe is when somebody writes to it");
        job.cancel();
        job.await();
        assertThat(warnings).isEmpty();
    }

    @Test
    void shouldRefuseAPipeWhereTheJobMustReadAgain() {
        Topology topology = Topology.named("again");
        topology.from(TextLines.read(pipe.toString())).name("lines").to(Sinks.discard());
        RunSettings settings = RunSettings.defaults()
                .withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(directory.resolve("checkpoints")));
        assertThatThrownBy(() ->
                        new EmbeddedRunner(settings).start(topology.graph()).await())
                .hasMessage("topology 'again', operator 'lines': the source " + pipe
                        + " cannot be read again from a position, which the guarantee exactly-once needs");
    }

    @Test
    void shouldRefuseTwoReadersOfOnePipe() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), pipe);
        Topology topology = Topology.named("two");
        topology.from(TextLines.read(pipe.toString())).name("first").to(Sinks.discard());
        topology.from(TextLines.read(link.toString())).name("second").to(Sinks.discard());
        assertThatThrownBy(topology::graph)
                .isInstanceOf(TopologyException.class)
                .hasMessage("topology 'two', operator 'second': it reads " + link
                        + ", which operator 'first' reads too, and can be read only once; read it with one source and"
                        + " lead its stream to both");
    }

    @Test
    void shouldRefuseTwoReadersOfStandardInput() {
        Topology topology = Topology.named("two");
        topology.from(TextLines.read("-")).name("first").to(Sinks.discard());
        topology.from(TextLines.read("-")).name("second").to(Sinks.discard());
        assertThatThrownBy(topology::graph)
                .hasMessageContaining("operator 'second': it reads standard input, which operator 'first' reads too");
    }

    @Test
    void shouldRefuseATableFromAPipe() {
        Topology topology = Topology.named("table");
        topology.from(TextLines.read(directory + "/*"))
                .join(TextLines.read(pipe.toString()), row -> row, line -> line, (line, row) -> line)
                .name("join")
                .to(Sinks.discard());
        assertThatThrownBy(topology::graph)
                .hasMessage("topology 'table', operator 'join': each of its tasks reads the table from its beginning,"
                        + " and " + pipe + " can be read only once; write it to a file first");
    }

    @Test
    void shouldSayThatAGlobLeavesPipesOut() {
        assertThatThrownBy(() -> TextLines.read(directory + "/in*").splits(1))
                .isInstanceOf(ConnectorException.class)
                .hasMessage("cannot read " + directory + "/in*: no file matches; " + pipe
                        + " is not a regular file and must be named by itself");
    }

    private void write(byte[] bytes) {
        Thread writer = new Thread(() -> {
            try {
                Files.write(pipe, bytes);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        writer.setDaemon(true);
        writer.start();
    }
}
