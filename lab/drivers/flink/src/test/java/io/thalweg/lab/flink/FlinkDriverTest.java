// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.RefusedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FlinkDriverTest {
    @TempDir
    private Path folder;

    @Test
    void shouldKnowItsVersion() {
        assertThat(new FlinkDriver().version()).startsWith("2.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=object-reuse",
                "variant=chained",
                "variant=unchained",
                "variant=object-reuse guarantee=exactly-once",
                "variant=chained guarantee=at-least-once checkpointMs=50 records=200000 rate=400000",
                "variant=unchained guarantee=exactly-once checkpointMs=50 records=200000 rate=400000",
                "variant=object-reuse payload=100",
                "variant=chained payload=100 rate=100000",
                "variant=unchained payload=1000 stamps=true layers=2",
                "variant=object-reuse payload=1000 stamps=true hoard=1000000 rate=100000",
                "variant=object-reuse sources=2 relays=3 sinks=2 layers=2",
                "variant=unchained sources=2 relays=2 sinks=1 hoard=100000",
            })
    void shouldRelay(String settings) throws Exception {
        check(settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"guarantee=acked", "processer=python", "workload=produce"})
    void shouldSayWhatItCannotRun(String settings) {
        assertThatThrownBy(() -> check(settings)).isInstanceOf(RefusedException.class);
    }

    private void check(String settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("records", "10000"));
        for (String setting : settings.split(" ")) {
            all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        try (FlinkDriver driver = new FlinkDriver()) {
            CellCheck.run(driver, folder, all);
        }
    }
}
