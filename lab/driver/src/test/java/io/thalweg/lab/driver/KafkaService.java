// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * For the tests of drivers: a broker with a topic, by the lab's own driver of Kafka, as the lab itself has it. The test is left
 * out where lab/drivers/kafka was not packed; a build of everything packs it first.
 */
public final class KafkaService implements AutoCloseable {
    private final Process process;
    private final Map<String, String> settings;

    private KafkaService(Process process, Map<String, String> settings) {
        this.process = process;
        this.settings = settings;
    }

    /** Starts a broker and fills a topic of 4 partitions; {@code folder} is the test's own. */
    public static KafkaService start(Path folder, long records, int payload) throws IOException {
        Path lib =
                Path.of("..", "kafka", "target", "dist", "lib").toAbsolutePath().normalize();
        assumeTrue(Files.isDirectory(lib), lib + " was not packed");
        Cell cell = CellCheck.write(
                folder,
                Map.of("workload", "serve", "records", "" + records, "payload", "" + payload, "partitions", "4"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        lib + "/*",
                        DriverMain.class.getName(),
                        "io.thalweg.lab.kafka.KafkaDriver")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().write((cell.folder().path() + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
        String version = answers.readLine();
        String answer = answers.readLine();
        if (!"done".equals(answer)) {
            process.destroy();
            throw new IllegalStateException(version + ": " + answer);
        }
        Properties service = new Properties();
        try (Reader reader = Files.newBufferedReader(cell.folder().path().resolve("service.properties"))) {
            service.load(reader);
        }
        return new KafkaService(
                process,
                Map.of(
                        "from",
                        "kafka",
                        "records",
                        "" + records,
                        "payload",
                        "" + payload,
                        "broker",
                        service.getProperty("broker"),
                        "topic",
                        service.getProperty("topic")));
    }

    /** What a cell needs to read the topic. */
    public Map<String, String> settings() {
        return settings;
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close(); // the driver stops its broker and ends
        process.onExit()
                .orTimeout(4, TimeUnit.MINUTES)
                .exceptionally(late -> process.destroyForcibly())
                .join();
        process.onExit().join();
    }
}
