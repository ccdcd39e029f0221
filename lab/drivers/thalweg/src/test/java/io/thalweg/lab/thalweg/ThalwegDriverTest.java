// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

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

final class ThalwegDriverTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workload=relay",
                "workload=relay rate=100000",
                "workload=relay payload=100",
                "workload=relay payload=1000 stamps=true",
                "workload=relay payload=1000 stamps=true rate=100000",
                "workload=relay payload=10 sources=2 relays=3 sinks=2 layers=3",
                "workload=relay payload=1000 stamps=true hoard=1000000",
                "workload=relay stall-ms=1 slowdown-percent=10",
                "workload=group-by",
                "workload=group-by window=1000 dimensions=6 measures=4 sources=2 sinks=3",
                "workload=telecom",
                "workload=telecom sources=2 relays=1 sinks=2"
            })
    void shouldBringEveryRecordOutOnceAndWhole(String words) throws Exception {
        for (String variant : new String[] {"fused", "apart"}) {
            Map<String, String> settings = settings(words);
            settings.put("records", "10000");
            settings.put("variant", variant);
            CellCheck.run(new ThalwegDriver(), folder, settings);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"processes=2", "guarantee=acked", "from=kafka", "processer=python", "workload=produce"})
    void shouldSayWhatItCannotRun(String words) {
        assertThatThrownBy(() -> new ThalwegDriver().run(CellCheck.write(folder, settings(words))))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void shouldEndWhenToldTo() throws Exception {
        var cell = CellCheck.write(folder, Map.of());
        cell.folder().stop();
        new ThalwegDriver().run(cell);
    }

    private static Map<String, String> settings(String words) {
        Map<String, String> settings = new HashMap<>();
        for (String word : words.split(" ")) {
            settings.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        return settings;
    }
}
