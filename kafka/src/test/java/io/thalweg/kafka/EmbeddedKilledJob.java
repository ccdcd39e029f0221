// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.IOException;
import java.nio.file.Path;

/** On the embedded engine; at each sixth kill a broker is killed, too, where a guarantee allows it. */
class EmbeddedKilledJob implements KilledJob {
    private static final int BROKER_EACH = 6;

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
}
