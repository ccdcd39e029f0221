// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.stats.JobState;
import io.thalweg.api.topology.Topology;
import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.engine.Job;
import io.thalweg.run.CheckpointSettings;
import io.thalweg.run.RunSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class SocketSourceTest {
    private final LoopbackServer server = LoopbackServer.start();
    private final LoopbackServer other = LoopbackServer.start();

    @AfterEach
    void stop() throws IOException {
        server.close();
        other.close();
    }

    private static <T> List<T> run(Source<T> source) throws InterruptedException {
        CollectSink<T> sink = CollectSink.of(source.type());
        start(source, sink).await();
        return sink.records();
    }

    private static <T> Job start(Source<T> source, CollectSink<T> sink) {
        Topology topology = Topology.named("socket");
        topology.from(source).name("lines").to(sink);
        return new EmbeddedRunner(RunSettings.defaults().withParallelism(1).withThreads(1)).start(topology.graph());
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldReadSeveralServersThroughOneTask() throws Exception {
        List<String> expected = new ArrayList<>();
        StringBuilder first = new StringBuilder();
        StringBuilder second = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            first.append("a").append(i).append('\n');
            second.append("b").append(i).append("\r\n");
            expected.add("a" + i);
            expected.add("b" + i);
        }
        server.serve(utf8(first.toString()), 1_000);
        other.serve(utf8(second.toString()), 70_000);

        List<String> read = run(Sources.socketLines(server.address(), other.address()));

        assertThat(Lines.surplus(expected, read)).as("missing").isEmpty();
        assertThat(Lines.surplus(read, expected)).as("unexpected").isEmpty();
    }

    @Test
    void shouldKeepLinesThatAreBad_andGoOn() throws Exception {
        server.serve(utf8("good\n" + "x".repeat(100_000) + "\nlater\n" + "y".repeat(21) + "\nlast"), 5_000);
        Topology topology = Topology.named("socket");
        CollectSink<String> sink = CollectSink.of(String.class);
        topology.from(Sources.socketLines(server.address()).maxBytes(20)).to(sink);
        Job job = new EmbeddedRunner(RunSettings.defaults()).start(topology.graph());

        assertThat(job.await().recordsBad()).isEqualTo(2);
        assertThat(sink.records()).containsExactly("good", "later", "last");
    }

    @Test
    void shouldKeepLinesThatAreNotUtf8() throws Exception {
        server.serve(new byte[] {'a', '\n', (byte) 0xc3, '\n', 'b'}, 2);
        assertThat(run(Sources.socketLines(server.address()))).containsExactly("a", "b");
    }

    @Test
    void shouldStopWhileNothingComes() throws Exception {
        server.keepOpen().serve(utf8("only\n"), 2);
        CollectSink<String> sink = CollectSink.of(String.class);
        Job job = start(Sources.socketLines(server.address()), sink);
        while (job.stats().recordsOut() == 0) {
            assertThat(job.await(java.time.Duration.ofMillis(10))).isFalse();
        }
        job.cancel();
        assertThat(job.await().state()).isEqualTo(JobState.CANCELLED);
        assertThat(sink.records()).containsExactly("only");
    }

    @Test
    void shouldSayThatNobodyListens() throws Exception {
        String address = other.address();
        other.close();
        assertThatThrownBy(() -> run(Sources.socketLines(address)))
                .hasMessageContaining("cannot connect to " + address + ": Connection refused");
    }

    @Test
    void shouldSayThatItIsNotSentFrames() {
        server.serve(utf8("GET / HTTP/1.1\r\n\r\n"), 100);
        assertThatThrownBy(() -> run(Sources.socketFrames(server.address())))
                .hasMessageContaining(server.address() + ", byte 0: a frame of 1195725856 bytes")
                .hasMessageContaining("four bytes with the length");
    }

    @Test
    void shouldSayThatTheConnectionEndedWithinAFrame() {
        server.serve(
                ByteBuffer.allocate(10)
                        .putInt(2)
                        .putShort((short) 7)
                        .putInt(100)
                        .array(),
                100);
        assertThatThrownBy(() -> run(Sources.socketFrames(server.address())))
                .hasMessageContaining(server.address() + ", byte 6: the connection ended within a frame");
    }

    @Test
    void shouldRefuseAGuarantee(@TempDir Path folder) {
        Topology topology = Topology.named("socket");
        topology.from(Sources.socketLines(server.address())).to(CollectSink.of(String.class));
        RunSettings settings =
                RunSettings.defaults().withGuarantee(Guarantee.EXACTLY_ONCE, CheckpointSettings.in(folder));
        assertThatThrownBy(() -> new EmbeddedRunner(settings).start(topology.graph()))
                .hasMessageContaining("cannot be read again from a position");
    }

    @Test
    void shouldRefuseWhatIsNoServer() {
        for (String wrong : List.of("", "localhost", ":80", "localhost:", "localhost:0", "localhost:65536", "h:-1")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Sources.socketLines(wrong))
                    .withMessage("a server is HOST:PORT, such as localhost:9999, not '" + wrong + "'");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sources.socketLines("::1:80"))
                .withMessageContaining("in brackets");
        assertThatIllegalArgumentException().isThrownBy(Sources::socketLines);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sources.socketLines("localhost:9999", "localhost:9999"))
                .withMessage("a server is named twice: localhost:9999, localhost:9999");
    }
}
