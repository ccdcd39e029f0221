// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PortabilityTaxTest {
    private static final Results ALL = MadeUp.allStudies();

    @ParameterizedTest
    @ValueSource(strings = {"translated", "storm-door"})
    void shouldCompareWithWhatWasWrittenForTheEngine(String variant) {
        CellResult byHand = storm();
        Results results = with(MadeUp.asVariant(variant, byHand));

        assertThat(PortabilityTax.of(results))
                .filteredOn(tax -> tax.ours().study().equals("storm-2012"))
                .singleElement()
                .satisfies(tax -> {
                    assertThat(tax.byHand().variant()).isEqualTo(byHand.variant());
                    assertThat(tax.median()).isEqualTo(1);
                    assertThat(tax.line())
                            .isEqualTo("storm-2012.a, storm %s: 1 of %s (1–1, 4 rounds)", variant, byHand.variant());
                });
    }

    /** It is the same for whoever holds it. */
    @Test
    void shouldNotCompareARateThatSourcesKeep() {
        Results kept = with(MadeUp.asVariant("storm-door", storm())).withSettings(settings -> {
            Map<String, String> all = new TreeMap<>(settings);
            all.put("rate", "1_000");
            return all;
        });

        assertThat(PortabilityTax.of(kept)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"translated", "storm-door"})
    void shouldBeNoPeer(String variant) {
        assertThat(Peers.of(with(MadeUp.asVariant(variant, storm()))).shared())
                .isNotEmpty()
                .noneMatch(pair -> pair.theirs().variant().equals(variant));
    }

    private static CellResult storm() {
        return ALL.cells().stream()
                .filter(cell -> cell.study().equals("storm-2012")
                        && cell.caseName().equals("a")
                        && cell.engine().equals("storm"))
                .findFirst()
                .orElseThrow();
    }

    private static Results with(CellResult cell) {
        List<CellResult> cells = new ArrayList<>(ALL.cells());
        cells.add(cell);
        return new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), cells);
    }
}
