// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;

/** On the embedded engine, with checkpoints that hold only where messages are; with {@code -Pcrash} alone. */
@DisabledOnOs(OS.WINDOWS)
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class FromTopicCrashTest extends CrashContract {
    @Override
    protected KilledJob job() {
        return new EmbeddedKilledJob() {
            @Override
            public boolean replaysFromTopic() {
                return true;
            }
        };
    }

    @Test
    void shouldShowEachResultOnce_howeverOftenItIsKilled() throws Exception {
        shouldShowEachResultOnce(Killer.KILLS);
    }
}
