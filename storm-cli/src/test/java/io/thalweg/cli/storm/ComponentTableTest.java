// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.stormdoor.ComponentStats;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComponentTableTest {
    private static final ComponentStats.Latency NONE = ComponentStats.Latency.NONE;

    /** It may quote a tuple, or be the traceback of a child. */
    @Test
    void shouldTellTheLastErrorInOneLineThatHasNoEffectOnATerminal() {
        ComponentStats bolt = new ComponentStats(
                "count", false, 1, 1, 0, 0, 1, 0, 1, NONE, NONE, NONE, 0, 1, "Traceback\n  no number: \u001b[2J");

        assertThat(ComponentTable.lines("words", List.of(bolt)))
                .last()
                .isEqualTo("  count reported 1 errors, the last one: Traceback no number: \\u001b[2J");
    }
}
