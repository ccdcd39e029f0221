// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/** Hands records to an operator of the user's, which may emit at any time, ask for the watermark, and set timers. */
sealed interface Processing extends Inner permits NodeSpec.Process, NodeSpec.KeyedProcess, Connected {
    @Override
    default Cardinality cardinality() {
        return Cardinality.ANY;
    }

    @Override
    default Timing timing() {
        return Timing.PASSES_ON;
    }

    @Override
    default long watermarkStep() {
        return 1;
    }

    @Override
    default boolean passesInputOn() {
        return false;
    }
}
