// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import org.jspecify.annotations.Nullable;

/** Stands between sources and sinks. */
sealed interface Inner extends NodeSpec permits Stateless, Processing, Keyed, Limit {
    @Override
    default io.thalweg.api.connector.@Nullable Source<Object> source() {
        return null;
    }

    @Override
    default io.thalweg.api.connector.@Nullable Sink<Object> sink() {
        return null;
    }

    @Override
    default boolean asynchronous() {
        return false;
    }

    @Override
    default boolean wantsNoMore() {
        return false;
    }
}
