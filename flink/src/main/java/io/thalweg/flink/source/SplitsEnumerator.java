// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Source;
import io.thalweg.flink.report.OperatorInfo;
import io.thalweg.flink.report.StageFailure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives split i of a source to task i modulo parallelism, as soon as the task is there, and tells it that there are no more; or
 * looks for more while the job runs.
 */
final class SplitsEnumerator implements SplitEnumerator<Split, Assignment> {
    private final SplitEnumeratorContext<Split> context;
    private final Source<Object> source;
    private final OperatorInfo place;
    private final List<String> known;
    private final List<Split> waiting;
    private final long discoveryMs;
    private final Set<Integer> ready = new TreeSet<>();
    /** Those that know all splits that they have, while more may be found. */
    private final Set<Integer> told = new TreeSet<>();

    /** Limits that want no more input, since tasks last began. */
    private final BitSet reached = new BitSet();

    private final Set<Integer> toldUnwanted = new TreeSet<>();
    private final SplitSource.Wanted wanted;
    private final Slowest slowest;
    private boolean listed;

    SplitsEnumerator(
            SplitEnumeratorContext<Split> context,
            Source<Object> source,
            OperatorInfo place,
            SplitSource.Wanted wanted,
            Assignment from) {
        this.wanted = wanted;
        this.context = context;
        this.source = source;
        this.place = place;
        slowest = new Slowest(context);
        listed = from.listed();
        known = new ArrayList<>(from.known());
        waiting = new ArrayList<>(from.waiting());
        discoveryMs =
                source instanceof LiveSource<Object> live ? live.discovery().toMillis() : 0;
    }

    @Override
    public void start() {
        int parallelism = context.currentParallelism();
        if (!listed) {
            context.callAsync(() -> source.splits(parallelism), this::onListed);
        }
        if (discoveryMs > 0) {
            context.callAsync(() -> source.splits(parallelism), this::onListed, discoveryMs, discoveryMs);
        }
    }

    private void onListed(@Nullable List<String> names, @Nullable Throwable failure) {
        if (names == null) {
            String what = failure == null ? "it names no splits" : StageFailure.words(failure);
            throw new StageFailure(
                    "topology '" + place.topology() + "', operator '" + place.operator() + "': " + what, failure);
        }
        for (String name : names) {
            if (!known.contains(name)) {
                waiting.add(listed ? Split.found(known.size(), name) : Split.of(known.size(), name));
                known.add(name);
            }
        }
        listed = true;
        assign();
    }

    private void assign() {
        if (!listed) {
            return;
        }
        for (int task : ready) {
            if (!context.registeredReaders().containsKey(task)) {
                continue; // it has failed, and its splits are about to come back
            }
            List<Split> own = new ArrayList<>();
            for (Split split : waiting) {
                if (split.number() % context.currentParallelism() == task) {
                    own.add(split);
                }
            }
            waiting.removeAll(own);
            own.forEach(split -> context.assignSplit(split, task));
            if (discoveryMs == 0) {
                context.signalNoMoreSplits(task);
            } else {
                tellAllKnown(task);
            }
        }
        if (discoveryMs == 0) {
            ready.clear();
        }
    }

    private void tellAllKnown(int task) {
        if (told.add(task)) {
            context.sendEventToSourceReader(task, new AllKnown());
        }
    }

    @Override
    public void addReader(int task) {
        ready.add(task);
        told.remove(task);
        toldUnwanted.remove(task);
        slowest.begins(task);
        assign();
        tellUnwanted();
    }

    /** From the coordinator of a limit, or from a reader. */
    @Override
    public void handleSourceEvent(int task, SourceEvent event) {
        if (event instanceof LimitReached limit) {
            reached.set(limit.node());
            tellUnwanted();
        } else if (event instanceof AllRead) {
            tellUnwanted(task);
        } else if (event instanceof Reached split) {
            slowest.reached(task, split);
        }
    }

    private void tellUnwanted() {
        if (wanted.no(reached)) {
            context.registeredReaders().keySet().forEach(this::tellUnwanted);
        }
    }

    /** Once: an event for a task that has ended fails the job. */
    private void tellUnwanted(int task) {
        if (toldUnwanted.add(task)) {
            context.sendEventToSourceReader(task, new NothingWanted());
        }
    }

    @Override
    public void addSplitsBack(List<Split> splits, int task) {
        ready.remove(task);
        told.remove(task);
        toldUnwanted.remove(task);
        waiting.addAll(splits);
        reached.clear(); // the limit begins anew with it, and says so again if that is still so
    }

    @Override
    public void handleSplitRequest(int task, @Nullable String host) {
        // readers are given all they have without asking
    }

    @Override
    public Assignment snapshotState(long checkpoint) {
        return new Assignment(listed, known, waiting);
    }

    @Override
    public void close() {
        // nothing is open
    }
}
