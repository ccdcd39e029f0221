// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CellTest {
    /** Otherwise a cell is measured with a setting that it does not have. */
    @Test
    void shouldRefuseASettingThatIsNotKnown() {
        assertThatThrownBy(() -> cell(Map.of("maxpending", "50")).check())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no setting 'maxpending'; it is spelled 'max-pending'");
        assertThatThrownBy(() -> cell(Map.of("pending", "50")).check())
                .hasMessageStartingWith("there is no setting 'pending'; there are ackers, acks, batch,");
    }

    @Test
    void shouldTakeAnySettingOfAUsersTopology() {
        Cell cell = cell(Map.of("workload", "topology", "jar", "orders.jar", "set.input", "orders.csv"));
        cell.check();
        assertThat(cell.set()).isEqualTo(Map.of("input", "orders.csv"));
    }

    private static Cell cell(Map<String, String> settings) {
        return Cell.of(settings, Path.of(""));
    }
}
