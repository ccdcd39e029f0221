// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShareOfHandTest {
    private static final Results ALL = MadeUp.allStudies();

    @Test
    void shouldGiveEachEnginesShareOfEachLoop() {
        List<ShareOfHand> shares = ShareOfHand.of(ALL);

        assertThat(shares).extracting(share -> share.cell().engine()).containsExactly("thalweg", "storm", "jstorm");
        assertThat(shares).allSatisfy(share -> {
            assertThat(share.cell().caseName()).isEqualTo("a");
            assertThat(share.hands()).extracting(CellResult::variant).containsExactly("loop", "ring");
            CellResult ring = share.hands().get(1);
            assertThat(share.shareOf(ring))
                    .isEqualTo(share.cell().recordsPerS().median()
                            / ring.recordsPerS().median());
        });
        String line = shares.get(0).line();
        assertThat(line)
                .matches(
                        "storm-2012\\.a, thalweg fused: [\\d.]+ of loop \\([\\d.]+ M records/s\\), [\\d.]+ of ring \\([\\d.]+ M records/s\\)");
        assertThat(TextReport.of(ALL, 140)).contains("Against the limit").contains(line);
        assertThat(HtmlReport.of(ALL)).contains(line);
    }

    @Test
    void shouldGiveNoneOfWhatHadNotSettled_norOfARateThatIsKept() {
        List<CellResult> unsettledHand = ALL.cells().stream()
                .map(cell -> cell.engine().equals("hand") ? MadeUp.unsettled(cell) : cell)
                .toList();
        assertThat(ShareOfHand.of(new Results(Results.SCHEMA, MadeUp.MACHINE, List.of(), unsettledHand)))
                .isEmpty();
    }

    @Test
    void shouldBeNoPeer() {
        assertThat(Peers.of(ALL).shared())
                .noneMatch(pair -> pair.theirs().engine().equals("hand"));
    }
}
