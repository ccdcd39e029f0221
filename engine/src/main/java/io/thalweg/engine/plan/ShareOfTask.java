// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.LedBack;

/**
 * Which of the records that were on their way back to former tasks a task gets: with as many tasks as there were, those of the former
 * task of its number; otherwise those that the grouping would send to it.
 */
record ShareOfTask(int task, int tasks) implements GroupingVisitor<LedBack.Share> {
    /** Chooses a task for a record that was on its way to a former one. */
    private interface Choice {
        int of(Object value, int former) throws Exception;
    }

    private LedBack.Share share(Choice choice) {
        return (value, former, formerTasks) -> (formerTasks == tasks ? former : choice.of(value, former)) == task;
    }

    private LedBack.Share inTurn() {
        return share((value, former) -> former % tasks);
    }

    @Override
    public LedBack.Share inTurn(Grouping.InTurn grouping) {
        return inTurn();
    }

    @Override
    public LedBack.Share forward(Grouping.Forward grouping) {
        return inTurn();
    }

    @Override
    public LedBack.Share byKey(Grouping.ByKey grouping) {
        Codec<Object> codec = grouping.key().type().codec();
        return share((value, former) -> StableHash.taskOf(
                StableHash.keyGroup(codec.hash(grouping.key().function().apply(value))), tasks));
    }

    @Override
    public LedBack.Share chosen(Grouping.Chosen grouping) {
        return share((value, former) -> grouping.task(value, tasks));
    }

    /** Refused before: see {@link io.thalweg.run.FeatureRules#checkFeedback}. */
    @Override
    public LedBack.Share broadcast(Grouping.Broadcast grouping) {
        throw new IllegalStateException("a checkpoint holds no records that are broadcast");
    }

    @Override
    public LedBack.Share global(Grouping.Global grouping) {
        return share((value, former) -> 0);
    }
}
