// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import io.thalweg.lab.driver.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** A child that speaks Storm's protocol, in one of the framings that it may ask for, from its start to its end. */
final class Child implements Tuples, AutoCloseable {
    private final Process process;
    private final Tuples tuples;

    private Child(Process process, Tuples tuples) {
        this.process = process;
        this.tuples = tuples;
    }

    /**
     * Starts one, and waits for its first message.
     *
     * @param folder where it leaves a file with its pid
     * @param payload how many characters the data of a tuple have
     */
    static Child start(List<String> command, Path folder, int payload) throws IOException {
        Path pids = Files.createDirectories(folder.resolve("pids"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            return new Child(process, greet(process, pids, payload));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Tuples greet(Process process, Path pids, int payload) throws IOException {
        Input input = new Input(process.getInputStream());
        OutputStream output = process.getOutputStream();
        String setup = """
                {"pidDir":"%s","conf":{"topology.multilang.framings":["msgpack-1","arrow-1"]},\
                "context":{"stream->outputfields":{"default":["number","data"]}}}
                end
                """.formatted(pids.toString().replace("\\", "\\\\").replace("\"", "\\\""));
        try {
            output.write(setup.getBytes(StandardCharsets.UTF_8));
            output.flush();
        } catch (IOException e) {
            // it has ended, as is seen below
        }
        JsonTuples json = new JsonTuples(input, output, payload);
        String framing = json.greeting();
        return switch (framing) {
            case "json" -> json;
            case "msgpack-1" -> PackedTuples.open(input, output, payload);
            case "arrow-1" -> ColumnTuples.open(input, output, payload);
            default -> throw new IOException("it asks for the framing '" + framing + "', which nobody has offered");
        };
    }

    @Override
    public void add(Message tuple) {
        tuples.add(tuple);
    }

    @Override
    public void send() throws IOException {
        tuples.send();
    }

    @Override
    public int read(Consumer<Message> taken) throws IOException {
        return tuples.read(taken);
    }

    /** Ends it. Any thread; also again. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
