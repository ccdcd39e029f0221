// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.plan;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.Grouping;
import io.thalweg.api.graph.GroupingVisitor;
import io.thalweg.engine.chain.LedBack;

/**
 * Which of the records that were on their way back to former tasks a task gets: those that the grouping sends to it. Where the grouping
 * does not say, those of the former task of its number, modulo the tasks.
 */
record ShareOfTask(int task, int tasks) implements GroupingVisitor<LedBack.Share> {
    private LedBack.Share inTurn() {
        return (value, former) -> former % tasks == task;
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
        return (value, former) -> StableHash.taskOf(
                        StableHash.keyGroup(codec.hash(grouping.key().function().apply(value))), tasks)
                == task;
    }

    @Override
    public LedBack.Share chosen(Grouping.Chosen grouping) {
        return (value, former) -> grouping.task(value, tasks) == task;
    }

    /** Refused before: see {@link io.thalweg.run.FeatureRules#checkFeedback}. */
    @Override
    public LedBack.Share broadcast(Grouping.Broadcast grouping) {
        throw new IllegalStateException("a checkpoint holds no records that are broadcast");
    }

    @Override
    public LedBack.Share global(Grouping.Global grouping) {
        return (value, former) -> task == 0;
    }
}
