// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.junit.jupiter.api.Tag;

/** All kills, as files and databases have them. */
@Tag("long")
final class KafkaSinkLongContractTest extends KafkaSinkContract {
    @Override
    protected int[][] tasksBeforeAndAfter() {
        return new int[][] {{3, 2}, {2, 3}};
    }
}
