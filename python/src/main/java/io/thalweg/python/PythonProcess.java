// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.operator.TimeToLive;
import io.thalweg.python.arrow.Columns;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** One process that runs the function, from its start to its end. */
final class PythonProcess {
    /** In JDK 17 {@code error=2, No such file or directory}, in JDK 25 {@code error: 2 (No such file or directory)}. */
    private static final Pattern SYSTEM_SAYS = Pattern.compile("error(?:=\\d+, |: \\d+ \\()([^)]*)");

    private static final String ARROW = "arrow";
    private static final int PIPE = 1 << 16;
    private static final long REAP_MS = 2_000;

    /** With which faulthandler ends a process whose time is up. */
    private static final int FAULTHANDLER = 1;

    private final Program program;
    private final Process process;
    private final Transcript transcript;
    private final Thread listener;
    private final DataInputStream in;
    private volatile boolean late;
    private String packing = "";
    private String takes = "";
    private boolean closes;
    private @Nullable TimeToLive lives;

    private PythonProcess(Program program, Process process) {
        this.program = program;
        this.process = process;
        transcript = new Transcript(program.file() + "[" + process.pid() + "]", process.getErrorStream());
        listener = new Thread(transcript, "python " + program.file() + " standard error");
        listener.setDaemon(true);
        in = new DataInputStream(new BufferedInputStream(process.getInputStream(), PIPE));
    }

    /** @throws ConnectorException if the interpreter cannot be started */
    static PythonProcess start(Program program, Options options) {
        try {
            Process process = new ProcessBuilder(options.interpreter(), "-c", Program.boot()).start();
            PythonProcess started = new PythonProcess(program, process);
            started.listener.start();
            return started;
        } catch (IOException e) {
            throw new ConnectorException(
                    "the Python interpreter '" + options.interpreter() + "' cannot be started: " + reason(e)
                            + "; install Python 3.9 or newer, or name another one with interpreter(…) or virtualenv(…)",
                    e);
        }
    }

    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        Matcher said = SYSTEM_SAYS.matcher(message);
        return said.find() && !said.group(1).equals("none") ? said.group(1) : message;
    }

    /**
     * Sends the program and waits until the process has loaded it.
     *
     * @return false if it ended before that
     * @throws ConnectorException if the function cannot be loaded
     */
    boolean greet(Task task, Arrow offered) throws IOException {
        try {
            ByteArrayOutputStream modules = new ByteArrayOutputStream();
            program.writeTo(new DataOutputStream(modules));
            OutputStream out = process.getOutputStream();
            modules.writeTo(out);
            Message.write(out, Message.bytes(packer -> hello(packer, task, offered)), new byte[0]);
        } catch (IOException e) {
            return false; // what it has to say of its end is in the transcript
        }
        Message.Received answer = Message.read(in);
        if (answer == null) {
            return false;
        }
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(answer.bytes())) {
            unpacker.unpackArrayHeader();
            if (unpacker.unpackInt() == Message.FAILED) {
                throw new ConnectorException(RowFailure.read(unpacker).message());
            }
            unpacker.skipValue(2); // the versions of the protocol and of Python
            packing = unpacker.unpackString();
            takes = unpacker.unpackString();
            closes = unpacker.unpackBoolean();
            lives = unpacker.tryUnpackNil()
                    ? null
                    : new TimeToLive(Duration.ofMillis(unpacker.unpackLong()), unpacker.unpackBoolean());
            return true;
        }
    }

    /** Whether the function takes record batches; after {@link #greet}. */
    boolean arrow() {
        return takes.equals(ARROW);
    }

    /** What the function is called with, {@code rows}, {@code batches} or {@code arrow}; after {@link #greet}. */
    String takes() {
        return takes;
    }

    /** Which MessagePack it has, {@code built in} or the package with its version; after {@link #greet}. */
    String packing() {
        return packing;
    }

    /** Whether the function has a {@code close}; after {@link #greet}. */
    boolean closes() {
        return closes;
    }

    long pid() {
        return process.pid();
    }

    /** CPU time of the process, but not of its own children; -1 if the system does not tell. */
    long cpuNs() {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(-1L);
    }

    /** How long the function's state lives, after {@link #greet}; null for ever. */
    @Nullable TimeToLive lives() {
        return lives;
    }

    private void hello(MessagePacker out, Task task, Arrow offered) throws IOException {
        out.packArrayHeader(3).packInt(Message.HELLO).packInt(Message.VERSION).packMapHeader(11);
        out.packString("function").packString(program.function());
        out.packString("file").packString(program.file());
        out.packString("module").packString(program.main().name());
        out.packString("kind").packString(task.kind().name().toLowerCase(Locale.ROOT));
        out.packString("keyed").packBoolean(task.keyed());
        out.packString("largest_state").packInt(task.options().largestState());
        out.packString("timeout_ms").packLong(task.options().timeoutMs());
        out.packString("arrow_rows");
        schema(offered.rows(), out);
        out.packString("arrow_problem").packString(offered.problem());
        out.packString("arrow_results");
        schema(offered.results(), out);
        out.packString("files").packArrayHeader(program.modules().size());
        for (Program.Module module : program.modules()) {
            out.packString(module.path());
        }
    }

    private static void schema(@Nullable Columns columns, MessagePacker out) throws IOException {
        if (columns == null) {
            out.packNil();
        } else {
            byte[] schema = columns.schema();
            out.packBinaryHeader(schema.length).writePayload(schema);
        }
    }

    /** The next message; null at the end. */
    Message.@Nullable Received read() throws IOException {
        return Message.read(in);
    }

    OutputStream output() {
        return process.getOutputStream();
    }

    /** Closes its input, after which it ends by itself. */
    void closeInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended already
        }
    }

    /** Ends it because it has not answered in time. */
    void killLate() {
        late = true;
        kill();
    }

    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /**
     * Waits until it has ended by itself, and ends it if that takes too long.
     *
     * @return whether it has ended by itself
     */
    boolean end(long graceMs) throws InterruptedException {
        boolean ended = process.waitFor(graceMs, TimeUnit.MILLISECONDS);
        if (!ended) {
            kill();
            process.waitFor(REAP_MS, TimeUnit.MILLISECONDS);
        }
        listener.join(REAP_MS);
        return ended;
    }

    /** How it ended; after {@link #end}. */
    ProcessExit death() {
        int code = process.isAlive() ? -1 : process.exitValue();
        boolean byItself = code == FAULTHANDLER && transcript.timedOut();
        return new ProcessExit(process.pid(), code, late || byItself, transcript.lastLines());
    }
}
