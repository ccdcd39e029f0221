// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.junit.jupiter.api.Tag;

/** Few kills: a pair of numbers of tasks takes minutes on a busy machine. {@link KafkaSinkLongContractTest} has all of them. */
@Tag("integration")
final class KafkaSinkContractTest extends KafkaSinkContract {
    @Override
    protected int[][] tasksBeforeAndAfter() {
        return new int[][] {{3, 2}};
    }

    @Override
    protected int[] intervalsOfKills() {
        return new int[] {1};
    }
}
