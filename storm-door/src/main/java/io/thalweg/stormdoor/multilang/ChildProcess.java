// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.api.connector.ConnectorException;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A child, from its start to its end. */
final class ChildProcess {
    private static final int CAPACITY = 1 << 16;
    private static final int SIGNAL = 128;

    /** The last signal: what is above it a program has chosen itself, such as 255 by {@code exit(-1)}. */
    private static final int LAST_SIGNAL = SIGNAL + 64;

    private static final int MOST_LOGGED = 200;
    private static final int MOST_KEPT = 40;
    private static final int MOST_SHOWN = 3;
    private static final int LONGEST = 1_000;
    private static final long GRACE_MS = 500;
    private static final long REAP_MS = 2_000;

    private final Process process;
    private final Logger log;
    private final Thread listener;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private int lines;

    /** Why it was ended; null if it ended by itself. */
    private volatile @Nullable String ended;

    private @Nullable Framing framing;
    private volatile @Nullable ChildOutput output;

    private ChildProcess(Process process, String component) {
        this.process = process;
        log = LoggerFactory.getLogger(component + "[" + process.pid() + "]");
        listener = new Thread(this::listen, "thalweg-" + component + "-stderr");
        listener.setDaemon(true);
    }

    /**
     * Starts a child.
     *
     * @param conf whose {@code topology.environment} it finds in its environment, as on Storm
     * @param python a folder that children find modules of Python in, after all others
     * @throws ConnectorException if it cannot be started; a line that says why
     */
    static ChildProcess start(ShellCommand command, Map<String, Object> conf, TopologyContext context, Path python) {
        ProcessBuilder builder = new ProcessBuilder(command.words());
        Map<String, String> environment = builder.environment();
        if (conf.get(Config.TOPOLOGY_ENVIRONMENT) instanceof Map<?, ?> all) {
            all.forEach((name, value) -> environment.put(String.valueOf(name), String.valueOf(value)));
        }
        command.environment().forEach((name, value) -> {
            String before = environment.get(name);
            environment.put(name, name.equals("PATH") && before != null ? before + File.pathSeparator + value : value);
        });
        environment.merge("PYTHONPATH", python.toString(), (before, ours) -> before + File.pathSeparator + ours);
        Path folder = Path.of(context.getCodeDir());
        if (command.inResources() && Files.isDirectory(folder)) {
            builder.directory(folder.toFile());
        }
        try {
            ChildProcess started = new ChildProcess(builder.start(), context.getThisComponentId());
            started.listener.start();
            return started;
        } catch (IOException e) {
            String problem = String.valueOf(e.getMessage());
            throw new ConnectorException(
                    "'" + command + "' cannot be started in " + folder + ": "
                            + problem.substring(problem.lastIndexOf(", ") + 1).strip()
                            + "; is it installed, and on the path?",
                    e);
        }
    }

    /**
     * Exchanges the first messages.
     *
     * @return false if it ended before that
     */
    boolean greet(Map<String, Object> conf, TopologyContext context) throws IOException {
        ChildOutput from = new ChildOutput(process.getInputStream());
        OutputStream to = new BufferedOutputStream(process.getOutputStream(), CAPACITY);
        JsonFraming json = new JsonFraming(to, from, this::stray);
        Map<String, Object> offered = new HashMap<>(conf);
        offered.putIfAbsent(Multilang.FRAMINGS, List.of(PackedFraming.NAME, PackedFraming.WITH_COLUMNS));
        output = from;
        Map<?, ?> answer = json.greet(offered, context);
        if (answer == null) {
            return false;
        }
        Object wanted = answer.get("framing");
        if (wanted != null && !wanted.equals("json")) {
            boolean columns = wanted.equals(PackedFraming.WITH_COLUMNS);
            if (!(columns || wanted.equals(PackedFraming.NAME)) || !offers(offered, wanted)) {
                throw new Framing.MalformedException("it asks for the framing '" + wanted + "', and "
                        + offered.get(Multilang.FRAMINGS) + " is offered by " + Multilang.FRAMINGS);
            }
            framing = new PackedFraming(to, json.rest(), columns);
        } else {
            framing = json;
        }
        return true;
    }

    private static boolean offers(Map<String, Object> conf, Object framing) {
        return conf.get(Multilang.FRAMINGS) instanceof List<?> names && names.contains(framing);
    }

    /** After {@link #greet}. */
    Framing framing() {
        if (framing == null) {
            throw new IllegalStateException("not greeted");
        }
        return framing;
    }

    /** Reads what it has written for the reader, which cannot now; false if there was nothing. */
    boolean setAside() {
        ChildOutput its = output;
        try {
            return its != null && its.setAside();
        } catch (IOException e) {
            return false; // the reader sees its end
        }
    }

    long pid() {
        return process.pid();
    }

    // ---- what it says beside the protocol

    private void stray(String line) {
        add(new StringBuilder("(standard output) ").append(line));
    }

    private void listen() {
        try (Reader reader = new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8)) {
            char[] buffer = new char[CAPACITY];
            StringBuilder line = new StringBuilder();
            for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    if (buffer[i] == '\n') {
                        add(line);
                    } else if (line.length() < LONGEST) {
                        line.append(buffer[i]);
                    }
                }
            }
            if (line.length() > 0) {
                add(line);
            }
        } catch (IOException e) {
            // closed, since the process has ended
        }
    }

    private void add(StringBuilder line) {
        String text = line.toString().stripTrailing().replaceAll("[\\p{Cntrl}&&[^\t]]", "?"); // terminals obey them
        line.setLength(0);
        int number;
        synchronized (last) {
            last.add(text);
            if (last.size() > MOST_KEPT) {
                last.remove();
            }
            number = ++lines;
        }
        if (number <= MOST_LOGGED) {
            log.info("{}", text);
        } else if (number == MOST_LOGGED + 1) {
            log.warn("it has written {} lines; what it writes now is not shown", MOST_LOGGED);
        }
    }

    // ---- its end

    /**
     * For a child that has been silent for too long: why it stays so for ever, if it has died and its output has not ended; null if it
     * can be ended.
     */
    @Nullable String held() {
        return process.isAlive()
                ? null
                : "it has died (" + cause()
                        + "), and a process that it started still has its standard output: end that process, and"
                        + " start such ones with a standard output of their own, in Python with stdout=subprocess.DEVNULL";
    }

    /** Ends it, and says why. */
    void kill(String reason) {
        if (ended == null) {
            ended = reason;
        }
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Asks it to end, as Storm does, and ends it if it does not. */
    void end() throws InterruptedException {
        Thread asking = new Thread(process::destroy, listener.getName() + "-end");
        asking.setDaemon(true);
        asking.start(); // it closes the child's input, which waits until nobody writes there: as long as the child
        // does not read
        if (!process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS)) {
            kill("it did not end");
        }
        reap();
    }

    /** Waits until it is gone, and what it wrote is read. Its output has ended. */
    void reap() throws InterruptedException {
        if (!process.waitFor(REAP_MS, TimeUnit.MILLISECONDS)) {
            kill("it closed its standard output and did not end");
            process.waitFor(REAP_MS, TimeUnit.MILLISECONDS);
        }
        listener.join(REAP_MS);
    }

    /** Whether a signal ended it that is not ours; after {@link #reap}. */
    boolean killed() {
        return ended == null && !process.isAlive() && isSignal(process.exitValue());
    }

    private static boolean isSignal(int code) {
        return code > SIGNAL && code <= LAST_SIGNAL;
    }

    /** How it ended, after {@link #reap}, with what it wrote last. */
    String cause() {
        String why = ended;
        int code = process.isAlive() ? -1 : process.exitValue();
        String cause = why != null ? why : isSignal(code) ? "killed by signal " + (code - SIGNAL) : "exit code " + code;
        synchronized (last) {
            List<String> shown = last.stream().filter(line -> !line.isBlank()).toList();
            shown = shown.subList(Math.max(0, shown.size() - MOST_SHOWN), shown.size());
            return cause + (shown.isEmpty() ? "" : "; it wrote last: " + String.join(" | ", shown));
        }
    }
}
