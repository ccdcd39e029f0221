// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HeapPerKeyTest {
    @Test
    void shouldDivideTheDifferenceOfHeapsByThatOfKeys() {
        Results results = results(
                cell("thalweg", "1_000", 50.0, 52.0, null),
                cell("flink", "1000", 90.0),
                cell("thalweg", "1000000", 151.0, 900.0, 149.0));

        assertThat(HeapPerKey.of(results))
                .map(HeapPerKey::line)
                .containsExactly(
                        // (151 - 51) MB for 999,000 keys
                        "windows.heap cardinality=1000000, thalweg fused: 105 bytes a key (median of 3 runs)");
    }

    @Test
    void shouldPassOverKeysThatAreNoNumber() {
        assertThat(HeapPerKey.of(results(cell("thalweg", "few", 50.0), cell("thalweg", "2000", 60.0))))
                .isEmpty();
    }

    @Test
    void shouldSayNothingWithoutHeaps() {
        assertThat(HeapPerKey.of(results(cell("thalweg", "1000"), cell("thalweg", "2000"))))
                .isEmpty();
    }

    private static Results results(CellResult... cells) {
        return new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), List.of(cells));
    }

    private static CellResult cell(String engine, String keys, @Nullable Double... heapsMb) {
        List<RunResult> runs = Arrays.stream(heapsMb)
                .map(heap -> new RunResult(1, 1.0, null, null, 1, 10, true, null, 9, 9, heap, null, List.of()))
                .toList();
        return new CellResult(
                "windows",
                "heap cardinality=" + keys,
                engine,
                "1",
                "fused",
                null,
                "none",
                Map.of("cardinality", keys),
                Map.of(),
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                true,
                null,
                true,
                null,
                null,
                null,
                "",
                runs);
    }
}
