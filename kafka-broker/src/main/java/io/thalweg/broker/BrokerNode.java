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
import org.jspecify.annotations.Nullable;

/** One of the brokers of a {@link TrialBroker}, in a process of its own. */
final class BrokerNode {
    static final String HOST = "127.0.0.1";
    private static final Duration LONGEST_START = Duration.ofMinutes(10);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_MS = 50;
    private static final int ANSWER_MS = 1_000;

    /** Where there is less, a broker that ends mostly cannot say why. */
    private static final long LEAST_SPACE_BYTES = 64 * 1024;

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

    /** Waits until it accepts connections. */
    void await() throws IOException, InterruptedException {
        Process started = running();
        long looks = LONGEST_START.toMillis() / LOOK_AGAIN_MS;
        while (!answers()) {
            if (started.waitFor(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS)) {
                throw new IOException("the broker ended with code " + started.exitValue() + ": " + lastLine());
            }
            if (looks-- == 0) {
                throw new IOException("the broker did not answer within " + LONGEST_START.toSeconds() + " s: "
                        + lastLine() + " (its log is " + log() + ")");
            }
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

    /** The last line of its log that is not a place in a stack trace: mostly why it ended. */
    private String lastLine() throws IOException {
        boolean full = Files.getFileStore(folder).getUsableSpace() < LEAST_SPACE_BYTES;
        String last = full ? "No space left on device for " + folder : "it printed nothing";
        for (String line : Files.readAllLines(log())) {
            if (!line.isBlank() && !line.startsWith("\tat ")) {
                last = line.strip();
            }
        }
        return last;
    }
}
