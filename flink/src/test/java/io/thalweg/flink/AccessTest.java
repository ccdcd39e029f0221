// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.CollectSink;
import io.thalweg.testkit.ListeningSocket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Who can reach a cluster within this JVM: this JVM alone. */
@Isolated("it looks at all sockets of the JVM")
final class AccessTest {
    private static final LocalFlink FLINK = LocalFlink.shared();

    @TempDir
    private Path folder;

    @Test
    void shouldListenOnLoopbackAlone() {
        assumeTrue(ListeningSocket.canBeListed());
        assertThat(ListeningSocket.of(ProcessHandle.current()))
                .as("its REST endpoint and its server of files")
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(ListeningSocket.beyondLoopback()).isEmpty();
    }

    /** What a page in the user's browser can do, and what another user of this machine can. */
    @Test
    void shouldAnswerNobodyWithoutItsKey() throws Exception {
        assumeTrue(ListeningSocket.canBeListed());
        for (ListeningSocket socket : ListeningSocket.of(ProcessHandle.current())) {
            try {
                Stranger.shouldGetNoAnswer(socket.port());
            } catch (ConnectException e) { // of a cluster that another test has ended meanwhile
                assertThat(ListeningSocket.of(ProcessHandle.current())).doesNotContain(socket);
            }
        }
    }

    /** With the key it answers, but allows no page to read the answer. */
    @Test
    void shouldShareItsAnswersWithNoPage() throws Exception {
        HttpClient client = ClusterKeys.ofThisJvm().client().build();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("https://" + FLINK.address() + "/config"))
                        .header("Origin", "http://evil.example")
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("flink-version");
        assertThat(answer.headers().firstValue("Access-Control-Allow-Origin")).hasValue("none");
    }

    @Test
    void shouldTellThatAClusterTakesJobsOfItsOwnerOnly() {
        Topology topology = Topology.named("mine");
        topology.from(Sources.generate(1, index -> index)).to(CollectSink.of(Long.class));
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> FlinkRunner.on(FLINK.address(), RunSettings.defaults(), List.of())
                        .start(topology.graph()))
                .withMessage("topology 'mine': the Flink cluster at " + FLINK.address()
                        + ": it accepts only TLS with a client key; a trial cluster accepts jobs only from the user"
                        + " who started it");
    }

    @Test
    void shouldFindTheKeyOfATrialCluster() throws Exception {
        ClusterKeys keys = ClusterKeys.make(folder);
        keys.write(folder, "127.0.0.1:8081");

        assertThat(ClusterKeys.read(folder, "127.0.0.1:8081")).isEqualTo(keys);
        assertThat(ClusterKeys.read(folder, "localhost:8081")).isEqualTo(keys);
        assertThat(ClusterKeys.read(folder, "127.0.0.1:8082")).isNull();
        assertThat(keys).isNotEqualTo(ClusterKeys.ofThisJvm());
        assertThat(ClusterKeys.ofThisJvm().store().getParent())
                .as("others cannot look into it")
                .satisfies(store -> shouldBeOwnerOnly(store));

        ClusterKeys.forget(folder);
        assertThat(folder).isEmptyDirectory();
        assertThat(ClusterKeys.read(folder, "127.0.0.1:8081")).isNull();
    }

    private static void shouldBeOwnerOnly(Path path) throws IOException {
        assumeTrue(Files.getFileStore(path).supportsFileAttributeView("posix"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rwx------");
    }
}
