// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kstreams;

import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.KafkaService;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class StreamsDriverTest {
    @TempDir
    private Path folder;

    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String cell : List.of(
                    "guarantee=none",
                    "guarantee=at-least-once layers=3",
                    "guarantee=exactly-once checkpoint-ms=100 sources=2 relays=2 sinks=2")) {
                run(kafka.settings(), cell);
            }
        }
    }

    private void run(Map<String, String> settings, String cell) throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        for (String setting : cell.split(" ")) {
            all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        try (StreamsDriver driver = new StreamsDriver()) {
            CellCheck.run(driver, folder, all);
        }
    }
}
