// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On the embedded engine; with at-least-once the broker is killed and started again, too; verify leaves it out. */
@DisabledOnOs(OS.WINDOWS)
@Tag("crash")
final class CrashTest extends CrashContract {
    @Override
    protected KilledJob job() {
        return new EmbeddedKilledJob();
    }

    @Test
    void shouldShowEachResultOnce_howeverOftenItIsKilled() throws Exception {
        shouldShowEachResultOnce(Killer.KILLS);
    }

    @Test
    void shouldShowEachResultOfAddedPartitionsOnce_howeverOftenItIsKilled() throws Exception {
        shouldShowEachResultOfAddedPartitionsOnce(Killer.KILLS / 2);
    }

    @Test
    void shouldLoseNoResult_whereEachMayComeTwice() throws Exception {
        shouldLoseNoResult((Killer.KILLS + 2) / 2);
    }
}
