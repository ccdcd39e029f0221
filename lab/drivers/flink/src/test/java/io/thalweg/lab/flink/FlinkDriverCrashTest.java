// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.KillCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A TaskManager is killed, on a cluster of its own for each. */
@Tag("crash")
final class FlinkDriverCrashTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "at-least-once, object-reuse, 1, 1, 1",
        "exactly-once, unchained, 2, 3, 2",
    })
    void shouldKeepItsPromiseWhenItsTaskManagerIsKilled(
            String guarantee, String variant, String sources, String relays, String sinks) throws Exception {
        Map<String, String> settings = new HashMap<>(
                Map.of("kill", "worker", "records", "0", "rate", "20000", "checkpoint-ms", "100", "payload", "10"));
        settings.putAll(Map.of("stamps", "true", "flink.heartbeat.interval", "500ms"));
        settings.putAll(Map.of("guarantee", guarantee, "variant", variant));
        settings.putAll(Map.of("sources", sources, "relays", relays, "sinks", sinks));
        KillCheck.run(new FlinkDriver(), folder, settings);
    }
}
