// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;

/**
 * On the embedded engine, with three brokers, {@code acks=all} and {@code min.insync.replicas=2}: one of them is killed and started again,
 * too; with {@code -Pcrash} alone.
 */
@DisabledOnOs(OS.WINDOWS)
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class ThreeBrokersCrashTest extends CrashContract {
    private static final int BROKERS = 3;

    @Override
    protected int brokers() {
        return BROKERS;
    }

    @Override
    protected KilledJob job() {
        return new EmbeddedKilledJob();
    }

    @Test
    void shouldShowEachResultOnce_howeverOftenItAndABrokerAreKilled() throws Exception {
        shouldShowEachResultOnce(Killer.KILLS);
    }
}
