// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import org.jspecify.annotations.Nullable;

/** Hands records of two inputs to one operator. */
sealed interface Connected extends Processing
        permits NodeSpec.Connect,
                NodeSpec.KeyedConnect,
                NodeSpec.Broadcast,
                NodeSpec.KeyedBroadcast,
                IntervalJoin,
                WindowJoin {
    @Override
    default int inputs() {
        return 2;
    }

    @Override
    default io.thalweg.api.connector.@Nullable Source<Object> table() {
        return null;
    }

    @Override
    default @Nullable Aggregate<Object, Object, Object> aggregate() {
        return null;
    }
}
