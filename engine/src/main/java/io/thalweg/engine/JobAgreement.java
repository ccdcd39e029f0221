// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.graph.Demand;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.plan.Build;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Coordinates the tasks of a job in this JVM: they open, drain and commit together, sinks in the order of the graph. */
final class JobAgreement implements TaskAgreement {
    /** The job. */
    interface Host {
        void wakeAll();

        /**
         * All tasks have published their final counts.
         *
         * @throws RuntimeException if the job fails because of the counts
         */
        void onCounted();

        boolean takesCheckpoints();

        /** True if no checkpoint is in progress or still to be taken. */
        boolean settled();
    }

    private final AtomicInteger opening = new AtomicInteger();
    private final AtomicInteger restoring = new AtomicInteger();
    private final AtomicInteger ending = new AtomicInteger();
    private final AtomicInteger draining = new AtomicInteger();
    private final AtomicInteger committed = new AtomicInteger();
    private volatile List<ChainTask> writers = List.of();

    private final Demand wants;
    private final StopRequest stop;
    private final Host host;

    /** Limits that are reached; guarded by itself. */
    private final BitSet reached = new BitSet();

    /** Nodes whose output is no longer needed because of that; replaced, never changed. */
    private volatile BitSet unwanted = new BitSet();

    /** Records dropped after the job was cancelled, by the task that they were sent to. */
    private final Map<String, Long> dropped = new ConcurrentSkipListMap<>();

    JobAgreement(Demand wants, StopRequest stop, Host host) {
        this.wants = wants;
        this.stop = stop;
        this.host = host;
    }

    /** Sets the tasks. Must be called before any of them runs. */
    void expect(List<Build.Built> all) {
        opening.set(all.size());
        restoring.set(all.size());
        ending.set(all.size());
        draining.set(all.size());
        writers =
                all.stream().filter(Build.Built::writes).map(Build.Built::task).toList();
    }

    /** The job has ended: tasks and their state can be collected. */
    void forgetTasks() {
        writers = List.of();
    }

    /** How many records were dropped in front of each task. */
    Map<String, Long> dropped() {
        return dropped;
    }

    @Override
    public void opened() {
        if (opening.decrementAndGet() == 0) {
            host.wakeAll();
        }
    }

    @Override
    public boolean allOpened() {
        return opening.get() == 0;
    }

    @Override
    public void outputsRestored() {
        if (restoring.decrementAndGet() == 0) {
            host.wakeAll();
        }
    }

    @Override
    public boolean allOutputsRestored() {
        return restoring.get() == 0;
    }

    @Override
    public boolean cancelled() {
        return stop.cancelled();
    }

    @Override
    public boolean draining(int source) {
        return stop.draining() || unwanted.get(source);
    }

    @Override
    public void reached(int limit) {
        synchronized (reached) {
            reached.set(limit);
            unwanted = wants.unwanted(reached);
        }
        host.wakeAll();
    }

    @Override
    public boolean dropping() {
        return stop.cancelled() && !host.takesCheckpoints() && stop.overdue();
    }

    @Override
    public void dropped(String task, long records) {
        if (records > 0) {
            dropped.merge("'" + task + "'", records, Long::sum);
        }
    }

    @Override
    public void ending() {
        if (ending.decrementAndGet() == 0) {
            host.onCounted();
        }
    }

    @Override
    public void drained() {
        if (draining.decrementAndGet() == 0) {
            host.wakeAll();
        }
    }

    @Override
    public boolean mayCommit(ChainTask task) {
        int place = writers.indexOf(task);
        boolean settled = host.settled();
        return settled && (place < 0 || (draining.get() == 0 && committed.get() == place));
    }

    @Override
    public void committed(ChainTask task) {
        if (writers.contains(task)) {
            committed.incrementAndGet();
            host.wakeAll();
        }
    }
}
