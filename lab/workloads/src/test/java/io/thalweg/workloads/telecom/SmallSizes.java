// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.List;

/** Sizes small enough to go through record by record: each number of cycles that the rules treat differently. */
final class SmallSizes {
    static final TelecomSize ONE_CYCLE = new TelecomSize("one-cycle", 256, 256, 1);
    static final TelecomSize TWO_CYCLES = new TelecomSize("two-cycles", 512, 300, 2);
    static final TelecomSize FOUR_CYCLES = new TelecomSize("four-cycles", 64, 10, 4);
    static final TelecomSize SIXTEEN_CYCLES = new TelecomSize("sixteen-cycles", 128, 120, 16);

    private SmallSizes() {}

    static List<TelecomSize> all() {
        return List.of(ONE_CYCLE, TWO_CYCLES, FOUR_CYCLES, SIXTEEN_CYCLES);
    }
}
