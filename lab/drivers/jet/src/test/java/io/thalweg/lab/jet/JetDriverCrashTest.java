// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import io.thalweg.lab.driver.KillCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The member that runs everything is killed, in a cluster of its own for each. */
@Tag("crash")
final class JetDriverCrashTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "at-least-once, 1, 1, 1",
        "exactly-once, 2, 3, 2",
    })
    void shouldKeepItsPromiseWhenItsMemberIsKilled(String guarantee, String sources, String relays, String sinks)
            throws Exception {
        Map<String, String> settings = new HashMap<>(
                Map.of("kill", "worker", "records", "0", "rate", "20000", "checkpoint-ms", "100", "payload", "10"));
        settings.putAll(Map.of("stamps", "true", "guarantee", guarantee, "variant", "dag"));
        settings.putAll(Map.of("sources", sources, "relays", relays, "sinks", sinks));
        KillCheck.run(new JetDriver(), folder, settings);
    }
}
