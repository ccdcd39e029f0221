// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.CellCheck;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
final class JStormDriverTest {
    private final JStormDriver driver = new JStormDriver();

    @TempDir
    private Path folder;

    @Test
    void shouldKnowItsVersion() {
        assertThat(driver.version()).isEqualTo("2.2.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=default sources=2 relays=2 sinks=2 payload=1000 stamps=true guarantee=acked max-pending=1000",
                "variant=tuned processer=python relays=2 payload=1000 stamps=true guarantee=acked max-pending=50",
            })
    void shouldBringEveryRecordOut(String settings) throws Exception {
        check(settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=tuned layers=2 rate=20000 hoard=1000000",
                "variant=tuned layers=0 guarantee=acked max-pending=50 ackers=2",
                "variant=default processer=python payload=100 guarantee=acked max-pending=50 records=2000",
                "variant=default processer=python child=lean",
            })
    void shouldBringEveryRecordOutInMoreWays(String settings) throws Exception {
        check(settings);
    }

    private void check(String settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("records", "10000"));
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=");
            all.put(parts[0], parts[1]);
        }
        CellCheck.run(driver, folder, all);
    }
}
