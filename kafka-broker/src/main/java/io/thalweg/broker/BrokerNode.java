// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One of the brokers of a {@link TrialBroker}, in a process of its own. */
final class BrokerNode {
    static final String HOST = "127.0.0.1";
    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);
    private static final int ANSWER_MS = 1_000;

    /** A broker for trying needs little memory, and its start counts more than its speed. */
    private static final List<String> JVM =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.awt.headless=true");

    private final Path folder;
    private final int port;
    private @Nullable Process process;

    /** @param folder for its data, settings and log */
    BrokerNode(Path folder, int port) throws IOException {
        this.folder = Files.createDirectories(folder).toAbsolutePath();
        this.port = port;
    }

    String address() {
        return HOST + ":" + port;
    }

    Path data() {
        return folder.resolve("data");
    }

    void configure(Properties settings, Map<String, String> users) throws IOException {
        try (Writer writer = Files.newBufferedWriter(settingsFile())) {
            settings.store(writer, null);
        }
        if (users.isEmpty()) {
            return;
        }
        Properties names = new Properties();
        names.putAll(users);
        try (Writer writer = Files.newBufferedWriter(folder.resolve(BrokerMain.USERS))) {
            names.store(writer, null);
        }
    }

    Process start(String classPath, String cluster, boolean outlives) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.add(BrokerMain.class.getName());
        command.addAll(List.of(settingsFile().toString(), cluster));
        if (!outlives) {
            command.add(BrokerMain.TETHERED);
        }
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log().toFile());
        // Not in the arguments: they are what tells this process from others, and systems show only so many of them.
        builder.environment().put("CLASSPATH", classPath);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process started = builder.start();
        process = started;
        if (outlives) {
            started.getOutputStream().close();
        }
        return started;
    }

    /**
     * Waits until it accepts connections.
     *
     * @param slow hears in a line if that takes long
     */
    void await(Consumer<String> slow) throws IOException, InterruptedException {
        Process started = running();
        BrokerLog log = new BrokerLog(log());
        StartWatch watch = new StartWatch(address(), log, slow);
        while (!answers()) {
            if (started.waitFor(StartWatch.LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException("the broker ended with code " + started.exitValue() + ": " + log.lastLine());
            }
            watch.noAnswer();
        }
    }

    private Process running() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException("the broker was not started");
        }
        return running;
    }

    /** Asks it to end in good order. */
    void stop() {
        Process running = process;
        if (running != null) {
            running.destroy();
        }
    }

    /** Ends it at once, as a power failure would. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    void awaitEnd() throws InterruptedException {
        Process running = process;
        if (running != null && !running.waitFor(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
            running.destroyForcibly().waitFor();
        }
    }

    boolean isRunning() {
        Process running = process;
        return running != null && running.isAlive();
    }

    private Path settingsFile() {
        return folder.resolve("server.properties");
    }

    private Path log() {
        return folder.resolve("broker.log");
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
