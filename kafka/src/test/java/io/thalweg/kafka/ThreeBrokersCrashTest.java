// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.IOException;
import java.nio.file.Path;
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
    private static final int BROKER_EACH = 6;

    @Override
    protected int brokers() {
        return BROKERS;
    }

    @Override
    protected KilledJob job() {
        return new KilledJob() {
            @Override
            public Class<?> main() {
                return CrashJob.class;
            }

            @Override
            public long newestCheckpoint(Path checkpoints) throws IOException {
                return KilledJob.newestFile(checkpoints);
            }

            @Override
            public boolean killsBroker(int kill) {
                return kill % BROKER_EACH == 1;
            }
        };
    }

    @Test
    void shouldShowEachResultOnce_howeverOftenItAndABrokerAreKilled() throws Exception {
        shouldShowEachResultOnce(Killer.KILLS);
    }
}
