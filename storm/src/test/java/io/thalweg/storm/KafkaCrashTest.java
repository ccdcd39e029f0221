// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.kafka.CrashContract;
import io.thalweg.kafka.CrashJob;
import io.thalweg.kafka.KilledJob;
import io.thalweg.kafka.Killer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;

/** On a LocalCluster, in a process that is killed as a whole; with {@code -Pcrash} alone. */
@DisabledOnOs(OS.WINDOWS)
@EnabledIfSystemProperty(named = "thalweg.kills", matches = "[0-9]+")
final class KafkaCrashTest extends CrashContract {
    /** Runs the job on a cluster of its own. */
    static final class Job implements KilledJob {
        public static void main(String[] arguments) throws InterruptedException {
            StormRunner.local(CrashJob.settings(arguments), 1)
                    .start(CrashJob.topology(arguments).graph())
                    .await();
        }

        @Override
        public Class<?> main() {
            return Job.class;
        }

        @Override
        public List<String> options() {
            return KilledOnStorm.OPTIONS;
        }

        @Override
        public long newestCheckpoint(Path checkpoints) throws IOException {
            return KilledJob.newestFile(checkpoints);
        }
    }

    @Override
    protected KilledJob job() {
        return new Job();
    }

    @Test
    void shouldLoseNoResult_howeverOftenItIsKilled() throws Exception {
        shouldLoseNoResult(Killer.KILLS / 4);
    }
}
