// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On the embedded engine, with checkpoints that hold only where messages are. */
@DisabledOnOs(OS.WINDOWS)
final class FromTopicCrashTest extends CrashContract {
    @Override
    protected KilledJob job() {
        return new KilledJob() {
            @Override
            public Class<?> main() {
                return CrashJob.class;
            }

            @Override
            public boolean replaysFromTopic() {
                return true;
            }

            @Override
            public long newestCheckpoint(Path checkpoints) throws IOException {
                return KilledJob.newestFile(checkpoints);
            }
        };
    }

    @Test
    void shouldShowEachResultOnce_howeverOftenItIsKilled() throws Exception {
        shouldShowEachResultOnce(Killer.KILLS);
    }
}
