// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.KillCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker is killed. */
@Tag("crash")
final class StormDriverCrashTest {
    @TempDir
    private Path folder;

    @Test
    void shouldKeepItsPromiseWhenItsWorkerIsKilled() throws Exception {
        Map<String, String> settings = new HashMap<>(
                Map.of("kill", "worker", "variant", "tuned", "guarantee", "at-least-once", "rate", "20000"));
        settings.putAll(Map.of("checkpoint-ms", "100", "sources", "2", "relays", "3", "payload", "10"));
        try (StormDriver driver = new StormDriver()) {
            KillCheck.run(driver, folder, settings);
        }
    }
}
