// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * A case for each kind of grouping. None has a default, so that whoever routes records does not compile without one.
 *
 * @param <R> what is made of a kind
 */
public interface GroupingVisitor<R> {
    /** If it leads on, only asked where the parallelism differs. */
    R inTurn(Grouping.InTurn grouping);

    R forward(Grouping.Forward grouping);

    R byKey(Grouping.ByKey grouping);

    R custom(Grouping.Custom grouping);

    R broadcast(Grouping.Broadcast grouping);

    R global(Grouping.Global grouping);
}
