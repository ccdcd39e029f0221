// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.connector.ConnectorException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The socket of a job, with clients of every kind. */
@Timeout(900)
@DisabledOnOs(OS.WINDOWS)
final class ControlTest {
    private static final String STATUS = "{\"topology\":\"Levels\"}";

    @TempDir
    private Path folder;

    private final List<String> told = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final CompletableFuture<String> stopped = new CompletableFuture<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private Path place() {
        return folder.resolve("thalweg");
    }

    private @Nullable JobControl job(String topology, Path... places) {
        JobControl control = JobControl.open(
                places.length == 0 ? List.of(place()) : List.of(places), topology, this::answer, told::add);
        if (control != null) {
            open.add(control);
        }
        return control;
    }

    private CompletableFuture<String> answer(String request) {
        return switch (request) {
            case "status" -> CompletableFuture.completedFuture(STATUS);
            case "stop" -> stopped;
            case "savepoint" -> CompletableFuture.failedFuture(new ConnectorException("takes no checkpoints"));
            default -> throw new ConnectorException("unknown");
        };
    }

    private List<LocalJob> all() {
        return LocalJob.all(List.of(place()));
    }

    private SocketChannel client() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        open.add(channel);
        try (Stream<Path> files = Files.list(place())) {
            Path socket = files.filter(file -> file.toString().endsWith(JobControl.SOCKET))
                    .findFirst()
                    .orElseThrow();
            channel.connect(UnixDomainSocketAddress.of(socket));
        }
        return channel;
    }

    private static void send(SocketChannel client, byte[] bytes) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(bytes);
        while (out.hasRemaining()) {
            client.write(out);
        }
    }

    private static String reply(SocketChannel client) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(1 << 16);
        while (client.read(in) >= 0) {
            // until the job closes
        }
        return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldAnswer_andBeFoundByIdAndByTopology() {
        JobControl control = job("Levels");
        assertThat(control).isNotNull();
        String id = control.id();
        assertThat(id).isEqualTo("Levels-" + ProcessHandle.current().pid());

        assertThat(all()).extracting(LocalJob::id).containsExactly(id);
        assertThat(LocalJob.find(id, all()).status()).isEqualTo(STATUS);
        assertThat(LocalJob.find("Levels", all()).values()).containsEntry("topology", "Levels");
        assertThatThrownBy(() -> LocalJob.find("Telecom", all()))
                .hasMessage("no job 'Telecom' of this user runs on this machine; there is " + id);
        assertThatThrownBy(() -> LocalJob.find(id, all()).savepoint("")).hasMessage("takes no checkpoints");
        assertThat(told).isEmpty();
    }

    @Test
    void shouldTellJobsOfOneTopologyApart() {
        JobControl first = job("Levels");
        JobControl second = job("Levels");
        assertThat(first).isNotNull();
        assertThat(second).isNotNull();
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(all()).extracting(LocalJob::id).containsExactlyInAnyOrder(first.id(), second.id());
        assertThatThrownBy(() -> LocalJob.find("Levels", all()))
                .hasMessage("2 jobs run topology 'Levels': " + first.id() + ", " + second.id() + "; name one of these");
        assertThat(LocalJob.find(second.id(), all()).status()).isEqualTo(STATUS);
    }

    @Test
    void shouldTellOfTheEnd_whenItIsThere() throws Exception {
        JobControl control = job("Levels");
        assertThat(control).isNotNull();
        SocketChannel waiting = client();
        send(waiting, "stop\n".getBytes(StandardCharsets.UTF_8));
        assertThat(LocalJob.find("Levels", all()).status()).isEqualTo(STATUS);
        stopped.complete("{\"state\":\"CANCELLED\"}");
        control.close();
        assertThat(reply(waiting)).isEqualTo("{\"state\":\"CANCELLED\"}\n");
        assertThat(all()).isEmpty();
        assertThat(place()).isEmptyDirectory();
    }

    @Test
    void shouldRemoveTheSocketOfAProcessThatIsGone() throws Exception {
        assertThat(job("Levels")).isNotNull();
        Path dead = place().resolve("Telecom-1.sock");
        try (ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            gone.bind(UnixDomainSocketAddress.of(dead)); // closing it leaves the file, as SIGKILL does
        }
        assertThat(dead).exists();
        assertThat(all()).hasSize(1);
        assertThat(dead).doesNotExist();
    }

    /** It has no name yet, and nobody looked for it. */
    @Test
    void shouldRemoveTheSocketOfAProcessThatWasKilledAsItBoundIt() throws Exception {
        ControlDirectory.create(place());
        Path dead = place().resolve("Telecom-1.new");
        try (ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            gone.bind(UnixDomainSocketAddress.of(dead));
        }
        assertThat(all()).isEmpty();
        assertThat(dead).as("another process may be about to listen").exists();
        Files.setLastModifiedTime(dead, FileTime.fromMillis(0));
        assertThat(all()).isEmpty();
        assertThat(dead).doesNotExist();
    }

    @Test
    void shouldRemoveTheSocketsOfOthersThatAreGone_whenAJobStarts() throws Exception {
        ControlDirectory.create(place());
        Path dead = place().resolve("Telecom-1.sock");
        try (ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            gone.bind(UnixDomainSocketAddress.of(dead));
        }
        assertThat(job("Levels")).isNotNull();
        assertThat(dead).doesNotExist();
        assertThat(all()).hasSize(1);
    }

    @Test
    void shouldTakeOverTheSocketOfAProcessThatIsGone() throws Exception {
        ControlDirectory.create(place());
        Path dead = place().resolve("Levels-" + ProcessHandle.current().pid() + ".sock");
        try (ServerSocketChannel gone = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            gone.bind(UnixDomainSocketAddress.of(dead));
        }
        assertThat(job("Levels")).isNotNull();
        assertThat(LocalJob.find("Levels", all()).status()).isEqualTo(STATUS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\n", "nonsense\n", "status now\n", "\u0000\u001b[2J\n", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"})
    void shouldRefuseWhatItDoesNotKnow(String request) throws Exception {
        assertThat(job("Levels")).isNotNull();
        SocketChannel client = client();
        send(client, request.getBytes(StandardCharsets.UTF_8));
        try {
            assertThat(reply(client)).isEqualTo("{\"error\":\"unknown\"}\n");
        } catch (IOException e) {
            assertThat(request).as("more than a line").contains("Host"); // closed with bytes that nobody read
        }
        assertThat(LocalJob.find("Levels", all()).status()).isEqualTo(STATUS);
    }

    @Test
    void shouldRefuseAHugeLine() throws Exception {
        assertThat(job("Levels")).isNotNull();
        SocketChannel client = client();
        byte[] huge = new byte[ControlServer.LONGEST_REQUEST];
        java.util.Arrays.fill(huge, (byte) 'x');
        send(client, huge);
        assertThat(reply(client)).contains("a request has at most 8192 bytes");
        assertThat(LocalJob.find("Levels", all()).status()).isEqualTo(STATUS);
    }

    /** Each sends half a line, or nothing, or asks and never reads; none of them closes. */
    @Test
    void shouldAnswerThoughAThousandClientsStay() throws Exception {
        assertThat(job("Levels")).isNotNull();
        for (int i = 0; i < 1_000; i++) {
            SocketChannel silent = client();
            try {
                switch (i % 3) {
                    case 0 -> send(silent, "stat".getBytes(StandardCharsets.UTF_8));
                    case 1 -> send(silent, "stop\n".getBytes(StandardCharsets.UTF_8));
                    default -> {}
                }
            } catch (IOException e) {
                continue; // it had to go
            }
            if (i % 100 == 99) {
                assertThat(LocalJob.find("Levels", all()).status()).isEqualTo(STATUS);
            }
        }
    }

    @Test
    void shouldKeepOthersOutOfTheDirectory() throws Exception {
        Files.createDirectory(place());
        Files.setPosixFilePermissions(place(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(all()).as("of a place where anybody may put a socket").isEmpty();
        assertThat(job("Levels")).isNotNull();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(place())))
                .isEqualTo("rwx------");
        assertThat(all()).hasSize(1);
    }

    @Test
    void shouldTakeTheNextPlaceWhereTheFirstCannotBeUsed() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path other = folder.resolve("other");
        assertThat(job("Levels", file, other)).isNotNull();
        assertThat(LocalJob.all(List.of(file, other))).hasSize(1);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayInOneLineThatItCannotBeReached() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), elsewhere);
        Path gone = folder.resolve("no/such");
        Path tooLong = folder.resolve("x".repeat(120));
        assertThat(job("Levels", file, link, gone, tooLong)).isNull();
        assertThat(told)
                .singleElement()
                .asString()
                .isEqualTo("the job runs, but thalweg status and thalweg stop cannot reach it: " + file
                        + ": is a file or a symbolic link, not a directory; " + link
                        + ": is a file or a symbolic link, not a directory; " + gone + ": its parent is missing; "
                        + tooLong + ": Unix domain path too long");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void shouldMakeAnIdOfAnyName() {
        JobControl control = job("-Größe/..\n" + "x".repeat(200));
        assertThat(control).isNotNull();
        assertThat(control.id()).matches("_Gr--e-\\.\\.-x{30}-\\d+");
        assertThat(all()).hasSize(1);
    }

    @Test
    void shouldNameWhatIsInTheEnvironmentOnlyIfItIsAPath() {
        assertThat(ControlDirectory.places("", "/tmp")).hasSize(1);
        assertThat(ControlDirectory.places(null, "/tmp")).hasSize(1);
        assertThat(ControlDirectory.places("run", "/tmp")).hasSize(1);
        assertThat(ControlDirectory.places("/run/user/1", "/tmp"))
                .hasSize(2)
                .first()
                .isEqualTo(Path.of("/run/user/1/thalweg"));
    }
}
