// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Sample;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("integration")
final class KafkaDriverTest {
    private static final KafkaDriver DRIVER = new KafkaDriver();

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        long pid = ProcessHandle.current().pid();
        DRIVER.close();
        assertThat(ProcessHandle.of(pid).orElseThrow().children().filter(ProcessHandle::isAlive))
                .as("processes left")
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "2, 1000, 0, 1, 100, 0",
    })
    void shouldWriteEveryRecord(int producers, int batch, String acks, int brokers, int payload, int rate)
            throws Exception {
        CellCheck.run(DRIVER, folder, produce(producers, batch, acks, brokers, 1, payload, rate));
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "1, 16384, 1, 1, 1024, 0",
        "3, 262144, -1, 1, 8, 0",
        "1, 16384, 1, 1, 1000, 20000",
        "1, 16384, 1, 1, 1000000, 0"
    })
    void shouldWriteEveryRecordInMoreWays(int producers, int batch, String acks, int brokers, int payload, int rate)
            throws Exception {
        CellCheck.run(DRIVER, folder, produce(producers, batch, acks, brokers, 1, payload, rate));
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"-1, 3", "1, 1"})
    void shouldWriteToThreeBrokers(String acks, int replicas) throws Exception {
        CellCheck.run(DRIVER, folder, produce(2, 16_384, acks, 3, replicas, 1000, 0));
    }

    @Test
    void shouldWriteCompressedBatches() throws Exception {
        Map<String, String> settings = produce(1, 16_384, "1", 1, 1, 1000, 0);
        settings.put("compression", "zstd");
        settings.put("linger-ms", "5");
        CellCheck.run(DRIVER, folder, settings);
    }

    private static Map<String, String> produce(
            int producers, int batch, String acks, int brokers, int replicas, int payload, int rate) {
        Map<String, String> settings = cell("produce");
        settings.put("producers", "" + producers);
        settings.put("batch", "" + batch);
        settings.put("acks", acks);
        settings.put("brokers", "" + brokers);
        settings.put("replicas", "" + replicas);
        settings.put("payload", "" + payload);
        settings.put("rate", "" + rate);
        settings.put("records", payload > 100_000 ? "100" : "10000");
        return settings;
    }

    private static Map<String, String> cell(String workload) {
        Map<String, String> settings = new HashMap<>();
        settings.put("workload", workload);
        settings.put("partitions", "10");
        settings.put("payload", "100");
        settings.put("warm-up-s", "0");
        return settings;
    }

    @ParameterizedTest
    @CsvSource({"3, 10001"})
    void shouldReadEveryRecord(int threads, long records) throws Exception {
        Map<String, String> settings = cell("consume");
        settings.put("threads", "" + threads);
        settings.put("records", "" + records);
        CellCheck.run(DRIVER, folder, settings);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"1, 10000", "12, 7"})
    void shouldReadEveryRecordInMoreWays(int threads, long records) throws Exception {
        Map<String, String> settings = cell("consume");
        settings.put("threads", "" + threads);
        settings.put("records", "" + records);
        CellCheck.run(DRIVER, folder, settings);
    }

    @Test
    void shouldReadAgainAndAgainUntilToldToStop() throws Exception {
        Map<String, String> settings = cell("consume");
        settings.put("fill", "5000");
        Cell cell = CellCheck.write(folder, settings);
        Thread stopper = new Thread(() -> {
            try {
                while (cell.folder().totals().received() < 25_000) {
                    LockSupport.parkNanos(10_000_000);
                }
                cell.folder().stop();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        stopper.start();
        DRIVER.run(cell);
        stopper.join();
        Meters.closeAll();

        Sample total = cell.folder().totals();
        assertThat(total.received()).isGreaterThanOrEqualTo(25_000).isEqualTo(total.sent());
        assertThat(total.sumReceived()).isEqualTo(total.sumSent());
        assertThat(total.damaged()).isZero();
    }

    @Test
    void shouldServeATopicToOthers() throws Exception {
        Map<String, String> settings = cell("serve");
        settings.put("records", "5000");
        Cell cell = CellCheck.write(folder, settings);
        DRIVER.run(cell);

        Properties service = new Properties();
        try (Reader reader = Files.newBufferedReader(cell.folder().path().resolve("service.properties"))) {
            service.load(reader);
        }
        assertThat(service.getProperty("broker")).startsWith("127.0.0.1:");
        assertThat(service.getProperty("topic")).isNotBlank();
    }

    @Test
    void shouldSayThatARecordIsTooLarge() throws Exception {
        Map<String, String> settings = produce(1, 16_384, "1", 1, 1, 1_000_000, 0);
        settings.put("max-request-size", "100000");
        Cell cell = CellCheck.write(folder, settings);
        assertThatThrownBy(() -> DRIVER.run(cell)).rootCause().hasMessageContaining("larger than 100000");
        Meters.closeAll();
    }
}
