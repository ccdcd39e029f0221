// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.lab.driver.Sample;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("long")
final class RealClusterTest {
    private static final String LISTENING = "0A";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "tuned, none, sources, 0, 2",
        "tuned, none, sources, 1, 2",
        "tuned, none, between, 2, 1",
        "translated, none, sources, 0, 2",
        "translated, at-least-once, sources, 1, 2",
        "translated, acked, between, 2, 1",
    })
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRunTwoWorkersThatListenNowhereElseAndEnd(
            String variant, String guarantee, String placement, String layers, int jvmsWithMeters) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (StormDriver driver = new StormDriver()) {
            Cell cell = CellCheck.write(
                    folder,
                    Map.of(
                            "variant",
                            variant,
                            "guarantee",
                            guarantee,
                            "processes",
                            "2",
                            "placement",
                            placement,
                            "layers",
                            layers,
                            "payload",
                            "100",
                            "stamps",
                            "true"));
            Future<?> run = thread.submit(() -> {
                driver.run(cell);
                return null;
            });
            while (cell.folder().totals().received() == 0 && !run.isDone()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            assertThat(listenersElsewhere()).isEmpty();
            assertThat(cell.folder().files(".samples"))
                    .as("JVMs with sources or sinks")
                    .hasSize(jvmsWithMeters);
            cell.folder().stop();
            run.get();
            Sample total = cell.folder().totals();
            assertThat(total.received()).isPositive().isEqualTo(total.sent());
            assertThat(total.sumReceived()).isEqualTo(total.sumSent());
            assertThat(total.damaged()).isZero();
            assertThat(cell.folder().files(".latencies")).isNotEmpty();
        } finally {
            thread.shutdownNow();
        }
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldRelayFromKafkaByThalwegsTopology() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100);
                StormDriver driver = new StormDriver()) {
            Map<String, String> settings = new HashMap<>(kafka.settings());
            settings.putAll(Map.of("variant", "translated", "processes", "2", "guarantee", "at-least-once"));
            CellCheck.run(driver, folder, settings);
        }
    }

    /** Sockets of this JVM's descendants that listen on another address than 127.0.0.1; needs Linux's /proc. */
    private static Set<String> listenersElsewhere() throws IOException {
        Set<String> sockets = new HashSet<>();
        List<Long> all =
                ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
        for (long pid : all) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
                for (Path file : files) {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith("socket:[")) {
                        sockets.add(target.substring("socket:[".length(), target.length() - 1));
                    }
                }
            } catch (IOException e) {
                // the process ended, or closed that file
            }
        }
        Set<String> elsewhere = new HashSet<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] fields = line.strip().split("\\s+");
                if (fields[3].equals(LISTENING) && sockets.contains(fields[9]) && !loopback(fields[1])) {
                    elsewhere.add(fields[1]);
                }
            }
        }
        return elsewhere;
    }

    /** 127.0.0.1 as it is, or mapped into IPv6; words are in the machine's byte order. */
    private static boolean loopback(String address) {
        String host = address.substring(0, address.indexOf(':'));
        return host.equals("0100007F") || host.equals("0000000000000000FFFF00000100007F");
    }
}
