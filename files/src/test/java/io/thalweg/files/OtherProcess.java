// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A job in a JVM of its own that has an output open until it is killed or told to finish. */
final class OtherProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;

    private OtherProcess(Process process) {
        this.process = process;
        said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Runs until the output is open, or could not be opened. */
    static OtherProcess writing(String output, String run) throws IOException {
        return start(output, run);
    }

    /** The same, restored from what was saved at checkpoint 1. */
    static OtherProcess restoring(String output, String run, byte[] saved) throws IOException {
        return start(output, run, HexFormat.of().formatHex(saved));
    }

    private static OtherProcess start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName()));
        command.addAll(List.of(arguments));
        return new OtherProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** The next line that it says. */
    String says() throws IOException {
        return String.valueOf(said.readLine());
    }

    void finish() throws Exception {
        process.getOutputStream().close();
        process.waitFor();
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    @SuppressWarnings("unchecked") // a writer of text
    public static void main(String[] args) throws Exception {
        boolean restored = args.length > 2;
        SinkContext context = new SinkContext(
                "test", "sink", 0, 1, System.out, null, Guarantee.EXACTLY_ONCE, restored ? 1 : 0, args[1]);
        try {
            CheckpointedWriter<String> writer =
                    (CheckpointedWriter<String>) TextLines.write(args[0]).open(context);
            if (restored) {
                writer.restore(List.of(HexFormat.of().parseHex(args[2])));
            }
            writer.write("of " + args[1]);
            byte[] saved = writer.save(1);
            System.out.println("open");
            System.out.println(HexFormat.of().formatHex(saved));
            while (System.in.read() >= 0) {}
            writer.finish();
            writer.close();
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
        }
    }
}
