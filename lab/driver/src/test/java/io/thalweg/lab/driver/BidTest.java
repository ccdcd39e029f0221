// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BidTest {
    @Test
    void shouldFindJustOnePartnerForEachRecordOfAJoin() {
        Bid.Maker maker = new Bid.Maker(cell(Map.of("operation", "join", "cardinality", "60000")));
        Map<Long, List<Bid>> earlier = new HashMap<>();
        List<Bid> bids = new ArrayList<>();
        for (long n = 0; n < 200_000; n++) {
            Bid bid = maker.make(n);
            bids.add(bid);
            maker.partners(bid)
                    .forEach(each -> earlier.computeIfAbsent(each.key(), key -> new ArrayList<>())
                            .add(each));
        }

        assertThat(bids)
                .allSatisfy(bid -> assertThat(earlier.get(bid.key()).stream()
                                .filter(each ->
                                        bid.timeMs() >= each.timeMs() && bid.timeMs() <= each.timeMs() + Bid.JOIN_MS))
                        .singleElement()
                        .satisfies(each -> assertThat(each.number()).isEqualTo(bid.number())));
    }

    @Test
    void shouldCountEachRecordInOneOfItsSlidingWindows() {
        for (long key = 0; key < 30; key++) {
            for (long timeMs = 0; timeMs < 100; timeMs++) {
                int counted = 0;
                for (long start = -90; start <= timeMs; start += 10) {
                    counted += timeMs < start + 100 && Bid.isCounted(key, start, 100, 10) ? 1 : 0;
                }
                assertThat(counted).as("key " + key + " at " + timeMs).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldRefuseAJoinWithMorePartnersThanOne() {
        assertThatThrownBy(() -> new Bid.Maker(cell(Map.of("operation", "join", "cardinality", "50000"))))
                .hasMessageContaining("does not find one partner");
        assertThatThrownBy(() ->
                        new Bid.Maker(cell(Map.of("operation", "join", "cardinality", "60000", "window", "100000"))))
                .hasMessageContaining("does not find one partner");
    }

    private static Cell cell(Map<String, String> settings) {
        return Cell.of(settings, Path.of(""));
    }
}
