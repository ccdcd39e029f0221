// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.FeedbackSnapshot;

/**
 * Which task gets a record that was on its way back to a former one: the one that the grouping sends it to. Where the grouping does not
 * say, that of the former task's number, modulo the tasks.
 */
record Destinations(int tasks) implements GroupingVisitor<FeedbackSnapshot.Destination> {
    private FeedbackSnapshot.Destination inTurn() {
        return (value, former) -> former % tasks;
    }

    @Override
    public FeedbackSnapshot.Destination inTurn(Grouping.InTurn grouping) {
        return inTurn();
    }

    @Override
    public FeedbackSnapshot.Destination forward(Grouping.Forward grouping) {
        return inTurn();
    }

    @Override
    public FeedbackSnapshot.Destination byKey(Grouping.ByKey grouping) {
        Codec<Object> codec = grouping.key().type().codec();
        return (value, former) -> StableHash.taskOf(
                StableHash.keyGroup(codec.hash(grouping.key().function().apply(value))), tasks);
    }

    @Override
    public FeedbackSnapshot.Destination chosen(Grouping.Chosen grouping) {
        return (value, former) -> grouping.task(value, tasks);
    }

    /** Refused before: see {@link io.thalweg.run.FeatureRules#checkFeedback}. */
    @Override
    public FeedbackSnapshot.Destination broadcast(Grouping.Broadcast grouping) {
        throw new IllegalStateException("a checkpoint holds no records that are broadcast");
    }

    @Override
    public FeedbackSnapshot.Destination global(Grouping.Global grouping) {
        return (value, former) -> 0;
    }
}
