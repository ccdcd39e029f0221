// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import io.thalweg.testkit.FreePort;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * A real PostgreSQL server on 127.0.0.1, started for the first test that needs it and stopped with the tests' JVM. PostgreSQL refuses
 * to run as root, so root starts it as the user nobody.
 */
public final class TestPostgres implements AutoCloseable {
    private static final String BINARIES = "/postgres-linux-x86_64.txz";
    private static final int TAR_BLOCK = 512;
    private static final int START_SECONDS = 600;
    /** What a server says that finds a process of one that was killed, which has served a connection and ends soon. */
    private static final String STILL_IN_USE = "pre-existing shared memory block";

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final Path folder;
    private final int port;
    private Process server;

    private TestPostgres(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    private static final class Shared {
        static final TestPostgres SERVER = begin();

        static TestPostgres begin() {
            try {
                TestPostgres started = start();
                Runtime.getRuntime().addShutdownHook(new Thread(started::close));
                return started;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Why there can be no server here; empty if there can. */
    public static String missing() {
        if (TestPostgres.class.getResource(BINARIES) == null) {
            return "the PostgreSQL binaries are not among the tests' dependencies";
        }
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!system.equals("Linux amd64")) {
            return "the PostgreSQL binaries are for Linux on amd64, and this is " + system;
        }
        boolean switches = Files.isExecutable(Path.of("/usr/bin/setpriv"));
        return root() && !switches
                ? "PostgreSQL refuses to run as root, and there is no /usr/bin/setpriv to run it as nobody"
                : "";
    }

    private static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** The one that all tests share, which none may stop. */
    public static TestPostgres shared() {
        return Shared.SERVER;
    }

    /** One that a test may stop. */
    static TestPostgres start() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("thalweg-postgres-");
        TestPostgres made = new TestPostgres(folder, FreePort.find());
        made.copyPrograms();
        made.initialise();
        made.begin();
        return made;
    }

    /** Where the user nobody can read them. */
    private void copyPrograms() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path from = unpacked();
        Path home = folder.resolve("home");
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(
                        each,
                        home.resolve(from.relativize(each).toString()),
                        LinkOption.NOFOLLOW_LINKS,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /**
     * They are unpacked once for all builds of a user, since that takes seconds, and kept in {@code ~/.cache}, or what
     * {@code XDG_CACHE_HOME} names.
     */
    private static Path unpacked() throws IOException {
        String named = System.getenv("XDG_CACHE_HOME");
        Path cache = named == null || named.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(named).toAbsolutePath();
        Path all = Files.createDirectories(cache.resolve("thalweg/test-packages"));
        String jar = String.valueOf(TestPostgres.class.getResource(BINARIES)).replaceAll(".*/([^/!]+)\\.jar!.*", "$1");
        Path programs = all.resolve(jar);
        if (!Files.isDirectory(programs)) {
            Path folder = Files.createTempDirectory(all, "postgres-");
            unpackInto(folder);
            try {
                Files.move(folder, programs);
            } catch (FileSystemException e) { // another build was faster
                delete(folder);
                if (!Files.isDirectory(programs)) {
                    throw e;
                }
            }
        }
        return programs;
    }

    private static void unpackInto(Path home) throws IOException {
        try (InputStream archive =
                new XZInputStream(new BufferedInputStream(TestPostgres.class.getResourceAsStream(BINARIES)))) {
            byte[] header = archive.readNBytes(TAR_BLOCK);
            while (header.length == TAR_BLOCK && header[0] != 0) {
                unpack(header, archive, home);
                header = archive.readNBytes(TAR_BLOCK);
            }
        }
    }

    /** One entry of a tar archive. Commons Compress would do it, but Flink brings an older part of it than it needs. */
    private static void unpack(byte[] header, InputStream archive, Path home) throws IOException {
        int size = Integer.parseInt(text(header, 124, 12), 8);
        byte[] content = archive.readNBytes((size + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
        Path to = home.resolve(text(header, 0, 100)).normalize();
        switch (header[156]) {
            case '5' -> Files.createDirectories(to);
            case '2' -> Files.createSymbolicLink(to, Path.of(text(header, 157, 100)));
            case '0' -> {
                Files.createDirectories(to.getParent());
                Files.write(to, Arrays.copyOf(content, size));
                to.toFile().setExecutable((Integer.parseInt(text(header, 100, 8), 8) & 0100) != 0, false);
            }
            default -> throw new IOException("an entry of a kind that is not known: " + (char) header[156]);
        }
    }

    /** A field, up to its first zero. */
    private static String text(byte[] header, int from, int length) {
        int to = from;
        while (to < from + length && header[to] != 0) {
            to++;
        }
        return new String(header, from, to - from, StandardCharsets.US_ASCII).strip();
    }

    private void initialise() throws IOException, InterruptedException {
        Path data = Files.createDirectory(folder.resolve("data"));
        if (root()) {
            Files.setOwner(
                    data, data.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
        Process made = run("initdb", "-D", data.toString(), "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
                .start();
        if (made.waitFor() != 0) {
            throw new IOException("initdb failed: " + Files.readString(folder.resolve("log")));
        }
    }

    private ProcessBuilder run(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (root()) {
            command.addAll(List.of("/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
        }
        command.add(folder.resolve("home/bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.resolve("home").toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        builder.environment().put("LC_ALL", "C");
        return builder;
    }

    /** Starts the server, and waits until it takes connections. */
    void begin() throws IOException, InterruptedException {
        server = serve();
        for (int tries = 0; tries < START_SECONDS * 20; tries++) {
            try {
                DriverManager.getConnection(url("postgres")).close();
                return;
            } catch (SQLException e) {
                new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
                if (!server.isAlive()) {
                    if (!Files.readString(folder.resolve("log")).contains(STILL_IN_USE)) {
                        throw new IOException(
                                "the server did not start: " + Files.readString(folder.resolve("log")), e);
                    }
                    server = serve();
                }
            }
        }
        throw new IOException(
                "the server did not start in " + START_SECONDS + " s: " + Files.readString(folder.resolve("log")));
    }

    private Process serve() throws IOException {
        return run(
                        "postgres",
                        "-D",
                        folder.resolve("data").toString(),
                        "-p",
                        String.valueOf(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off",
                        "-c",
                        "dynamic_shared_memory_type=mmap", // in its folder, which is deleted, even when it was killed
                        "-c",
                        "deadlock_timeout=100ms")
                .start();
    }

    /** Without a word to anybody, and with all processes that serve connections. */
    void kill() throws InterruptedException {
        List<ProcessHandle> all = server.descendants().toList();
        server.destroyForcibly().waitFor();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=postgres";
    }

    /** The URL of a new database. */
    public String database() throws SQLException {
        String name = "d" + DATABASES.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return url(name);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void close() {
        try {
            kill();
            delete(folder);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
