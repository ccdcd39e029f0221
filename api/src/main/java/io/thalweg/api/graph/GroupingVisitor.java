// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * A method for each kind of grouping. None has a default, so a runner that lacks one does not compile.
 *
 * @param <R> what is made of a grouping
 */
public interface GroupingVisitor<R> {
    /** Round robin. For a grouping that leads on, called only if the parallelism differs. */
    R inTurn(Grouping.InTurn grouping);

    /** Task i to task i. */
    R forward(Grouping.Forward grouping);

    /** By key group. */
    R byKey(Grouping.ByKey grouping);

    /** To the task whose number is read from the record. */
    R chosen(Grouping.Chosen grouping);

    /** To every task. */
    R broadcast(Grouping.Broadcast grouping);

    /** To task 0. */
    R global(Grouping.Global grouping);
}
