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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns split i of a source to task i modulo parallelism when the task registers, and tells it that there are no more
 * splits; or discovers more while the job runs.
 */
final class SplitsEnumerator implements SplitEnumerator<Split, Assignment> {
    private static final Logger LOG = LoggerFactory.getLogger(SplitsEnumerator.class);

    private final SplitEnumeratorContext<Split> context;
    private final Source<Object> source;
    private final OperatorInfo place;
    private final List<String> known;
    private final List<Split> waiting;
    private final long discoveryMs;
    private final Set<Integer> ready = new TreeSet<>();
    /** Tasks that were told that they have all known splits, while more may be discovered. */
    private final Set<Integer> reported = new TreeSet<>();

    /** Limits that are reached, since tasks were last started. */
    private final BitSet reached = new BitSet();

    private final Set<Integer> toldUnwanted = new TreeSet<>();
    private final SplitSource.Wanted wanted;
    private final Slowest slowest;
    private boolean listed;

    /** Why it could not be looked for new splits; empty if it could. */
    private String complaint = "";

    /** What no reader was there to tell; empty for nothing. */
    private String untold = "";

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
        if (discoveryMs > 0 && source instanceof LiveSource<Object> live) {
            long firstMs = listed ? 0 : discoveryMs; // a restored job may have missed some
            context.callAsync(() -> live.discover(parallelism), this::onDiscovered, firstMs, discoveryMs);
        }
    }

    private void onListed(@Nullable List<String> names, @Nullable Throwable failure) {
        if (names == null) {
            String what = failure == null ? "it names no splits" : StageFailure.words(failure);
            throw new StageFailure(
                    "topology '" + place.topology() + "', operator '" + place.operator() + "': " + what, failure);
        }
        add(names);
    }

    /** A job that runs goes on while its source cannot say what is new, as where a broker is away. */
    private void onDiscovered(@Nullable List<String> names, @Nullable Throwable failure) {
        if (names == null && failure instanceof Exception) {
            String message = StageFailure.words(failure);
            if (!message.equals(complaint)) {
                complaint = message;
                tell("cannot look for new splits of source " + source.name() + ": " + message
                        + "; it continues with those that it knows");
            }
        } else if (names == null || listed) {
            complaint = "";
            untold = "";
            onListed(names, failure);
        }
    }

    /** To a reader that has not been told to end, since an event for a task that has ended would fail the job. */
    private void tell(String line) {
        untold = line;
        for (int task : ready) {
            if (context.registeredReaders().containsKey(task) && !toldUnwanted.contains(task)) {
                untold = "";
                context.sendEventToSourceReader(task, new ComplaintEvent(line));
                return;
            }
        }
        LOG.warn("topology '{}', operator '{}': {}", place.topology(), place.operator(), line);
    }

    private void add(List<String> names) {
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
                continue; // it has failed; Flink will return its splits
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
                sendAllKnown(task);
            }
        }
        if (discoveryMs == 0) {
            ready.clear();
        }
    }

    private void sendAllKnown(int task) {
        if (reported.add(task)) {
            context.sendEventToSourceReader(task, new AllSplitsKnownEvent());
        }
    }

    @Override
    public void addReader(int task) {
        ready.add(task);
        reported.remove(task);
        toldUnwanted.remove(task);
        slowest.begins(task);
        assign();
        sendUnwanted();
        if (!untold.isEmpty()) {
            tell(untold);
        }
    }

    /** From the coordinator of a limit, or from a reader. */
    @Override
    public void handleSourceEvent(int task, SourceEvent event) {
        if (event instanceof LimitReached limit) {
            reached.set(limit.node());
            sendUnwanted();
        } else if (event instanceof EndReachedEvent) {
            sendUnwanted(task);
        } else if (event instanceof SlowestWatermarkEvent split) {
            slowest.reached(task, split);
        }
    }

    private void sendUnwanted() {
        if (wanted.no(reached)) {
            context.registeredReaders().keySet().forEach(this::sendUnwanted);
        }
    }

    /** Tells a task at most once, because an event for a task that has ended would fail the job. */
    private void sendUnwanted(int task) {
        if (toldUnwanted.add(task)) {
            context.sendEventToSourceReader(task, new EndInputEvent());
        }
    }

    @Override
    public void addSplitsBack(List<Split> splits, int task) {
        ready.remove(task);
        reported.remove(task);
        toldUnwanted.remove(task);
        waiting.addAll(splits);
        reached.clear(); // the limit restarts with the task, and reports again if it is reached
    }

    @Override
    public void handleSplitRequest(int task, @Nullable String host) {
        // splits are assigned without a request
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
