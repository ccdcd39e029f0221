// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** With checkpoints that hold only where messages are. */
@Tag("long")
final class FromTopicContractTest extends KafkaSinkContract {
    @Override
    protected KafkaSink<String> sinkIn(Path folder) throws Exception {
        return super.sinkIn(folder).replayFromTopic();
    }

    @Override
    protected int[][] tasksBeforeAndAfter() {
        return new int[][] {{3, 2}};
    }

    @Override
    protected int[] intervalsOfKills() {
        return new int[] {1};
    }
}
