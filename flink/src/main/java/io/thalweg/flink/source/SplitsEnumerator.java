// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.Source;
import io.thalweg.flink.report.OperatorInfo;
import io.thalweg.flink.report.StageFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/** Gives split i of a source to task i modulo parallelism, as soon as the task is there, and tells it that there are no more. */
final class SplitsEnumerator implements SplitEnumerator<Split, Assignment> {
    private final SplitEnumeratorContext<Split> context;
    private final Source<Object> source;
    private final OperatorInfo place;
    private final List<Split> waiting;
    private final Set<Integer> ready = new TreeSet<>();
    private boolean listed;

    SplitsEnumerator(
            SplitEnumeratorContext<Split> context, Source<Object> source, OperatorInfo place, Assignment from) {
        this.context = context;
        this.source = source;
        this.place = place;
        listed = from.listed();
        waiting = new ArrayList<>(from.waiting());
    }

    @Override
    public void start() {
        if (!listed) {
            int parallelism = context.currentParallelism();
            context.callAsync(() -> source.splits(parallelism), this::onListed);
        }
    }

    private void onListed(@Nullable List<String> names, @Nullable Throwable failure) {
        if (names == null) {
            String what = failure == null ? "it names no splits" : StageFailure.words(failure);
            throw new StageFailure(
                    "topology '" + place.topology() + "', operator '" + place.operator() + "': " + what, failure);
        }
        for (String name : names) {
            waiting.add(Split.of(waiting.size(), name));
        }
        listed = true;
        assign();
    }

    private void assign() {
        if (!listed) {
            return;
        }
        for (int task : ready) {
            List<Split> own = new ArrayList<>();
            for (Split split : waiting) {
                if (split.number() % context.currentParallelism() == task) {
                    own.add(split);
                }
            }
            waiting.removeAll(own);
            own.forEach(split -> context.assignSplit(split, task));
            context.signalNoMoreSplits(task);
        }
        ready.clear();
    }

    @Override
    public void addReader(int task) {
        ready.add(task);
        assign();
    }

    @Override
    public void addSplitsBack(List<Split> splits, int task) {
        waiting.addAll(splits);
    }

    @Override
    public void handleSplitRequest(int task, @Nullable String host) {
        // readers are given all they have without asking
    }

    @Override
    public Assignment snapshotState(long checkpoint) {
        return new Assignment(listed, waiting);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
