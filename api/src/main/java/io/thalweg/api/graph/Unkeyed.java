// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.Aggregate;
import org.jspecify.annotations.Nullable;

/** Works by no key. */
sealed interface Unkeyed extends NodeSpec permits NodeSpec.Source, Stateless, NodeSpec.Process, Limit, NodeSpec.Sink {
    @Override
    default io.thalweg.api.connector.@Nullable Source<Object> table() {
        return null;
    }

    @Override
    default @Nullable KeySpec keyedBy(int input) {
        return null;
    }

    @Override
    default @Nullable Aggregate<Object, Object, Object> aggregate() {
        return null;
    }
}
