// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import org.jspecify.annotations.Nullable;

/** Keeps state for each key. */
sealed interface Keyed extends Inner
        permits NodeSpec.Window, NodeSpec.Running, NodeSpec.Distinct, NodeSpec.KeyedProcess, KeyedAsyncMap {
    KeySpec key();

    @Override
    default int inputs() {
        return 1;
    }

    @Override
    default KeySpec keyedBy(int input) {
        return key();
    }

    @Override
    default io.thalweg.api.connector.@Nullable Source<Object> table() {
        return null;
    }

    @Override
    default boolean stateful() {
        return true;
    }
}
