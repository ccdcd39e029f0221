// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** Takes records one by one and keeps nothing of them. */
sealed interface Stateless extends Inner, Unkeyed
        permits NodeSpec.Map,
                NodeSpec.Filter,
                NodeSpec.FlatMap,
                NodeSpec.Peek,
                NodeSpec.Union,
                NodeSpec.EventTime,
                NodeSpec.TableJoin,
                AsyncMap {
    @Override
    default int inputs() {
        return 1;
    }

    @Override
    default boolean stateful() {
        return false;
    }

    @Override
    default Timing timing() {
        return Timing.PASSES_ON;
    }

    @Override
    default long watermarkStep() {
        return 0;
    }

    @Override
    default boolean passesInputOn() {
        return true;
    }
}
