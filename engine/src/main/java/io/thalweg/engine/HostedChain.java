// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.graph.Demand;
import io.thalweg.api.stats.TaskStats;
import io.thalweg.engine.ack.Reports;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.chain.HostedTask;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.plan.Build;
import io.thalweg.engine.plan.BuildSettings;
import io.thalweg.engine.route.Transport;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Turn;
import io.thalweg.run.Clock;
import io.thalweg.run.JobFailedException;
import io.thalweg.run.KeyListener;
import io.thalweg.run.LostConnections;
import java.io.PrintStream;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One task of one chain, run by another engine. Records, watermarks, barriers and the end of each input must arrive in
 * the order in which the upstream task sent them. One thread at a time may call; whatever a call throws ends the job.
 */
public final class HostedChain {
    /** The engine that runs the task. Called only from within calls of the chain, unless a method says otherwise. */
    public interface Host extends Transport {
        void bad(String operator, BadRecord record);

        /**
         * The task is open. Called again when its outputs are restored.
         *
         * @param outputsRestored its outputs are restored, or need not be: it waits for {@link HostedOrders#started}, and otherwise for
         *     {@link HostedOrders#opened}
         */
        void opened(boolean outputsRestored);

        /**
         * The state of the task at a barrier, or at its end.
         *
         * @param checkpoint 0 at the end
         */
        void saved(long checkpoint, byte[] state, long heldNs, long tookNs);

        /** All input has been processed, and all output has been sent. */
        void drained();

        /**
         * A limit has seen all the records that it lets pass.
         *
         * @param limit its number in the graph
         */
        void reached(int limit);

        /** The sinks of the task have committed; the task is done. */
        void committed();

        /** The task has something to do, such as to handle an answer: call {@link #turn}. Called by any thread. */
        void wakeUp();

        /**
         * The output of a record that was {@link Outcome#HELD} has been sent. Only in a job that is acked.
         *
         * @param root as given to {@link #record}
         * @param failed the record must be retried
         */
        void answered(long root, boolean failed);

        /** The job was cancelled, and this many records that waited for answers from outside are dropped. */
        void dropped(long records);

        /** A source or sink of the task has a line for the user. Called by any thread. */
        void warn(String line);

        /** Where console sinks print. */
        PrintStream console();
    }

    /** The result of {@link #record}. */
    public enum Outcome {
        DONE,
        /** A user's function asks for the record to be retried. */
        FAILED,
        /** It waits for an answer from outside. In a job that is acked, {@link Host#answered} follows. */
        HELD
    }

    private static final int QUEUES = 1;
    private static final long NEVER = Long.MAX_VALUE;

    /** Limits the turns of one call: a timer that sets itself again for now must not keep the caller from its input. */
    private static final int MOST_TURNS = 100;

    private final HostedPlan.Part part;
    private final int index;
    private final ChainTask task;
    private final @Nullable HostedTask fed;
    private final Reported reported;
    private final boolean asynchronous;
    private final long dropsAfterNs;
    private final Demand demand;
    private BitSet unwanted = new BitSet();
    private HostedOrders orders;
    private boolean touched;
    private boolean over;

    /** @param splits as {@link HostedPlan#splits} gave them */
    public HostedChain(
            HostedPlan plan,
            HostedSettings settings,
            Map<Integer, List<String>> splits,
            HostedPlan.Part part,
            int index,
            HostedOrders orders,
            Host host) {
        this.part = part;
        this.index = index;
        this.orders = orders;
        reported = new Reported(host);
        dropsAfterNs = settings.checkpoints() ? NEVER : TimeUnit.MILLISECONDS.toNanos(settings.stopTimeoutMs());
        asynchronous = plan.plan().chains().get(part.number()).head().spec().asynchronous();
        demand = Demand.of(plan.graph());
        int writers = plan.writersBefore(part);
        BuildSettings build = new BuildSettings(
                settings.specialise(),
                (operator, className) -> {},
                KeyListener.NONE,
                true,
                settings.stepRecords(),
                QUEUES,
                QUEUES,
                host.console(),
                Clock.system(),
                settings.guarantee(),
                null,
                new FailureHistory(0),
                settings.run(),
                host::warn,
                new LostConnections(Clock.system(), warning -> {}), // who has the statistics tells of it
                0,
                null);
        String topology = plan.graph().name();
        task = Build.hosted(
                plan.plan(),
                build,
                new Build.Host(
                        new Agreement(host, writers < 0 ? writers : writers + index, settings.restoreFrom() != null),
                        (operator, record) -> {
                            host.bad(operator, record);
                            if (settings.failOnBad()) {
                                throw new JobFailedException(
                                        "topology '" + topology + "', operator '" + operator + "': bad record in "
                                                + record.describe(),
                                        null);
                            }
                        },
                        settings.checkpoints() ? new Saving(host) : null,
                        host,
                        settings.acked() ? reported : null,
                        host::wakeUp),
                plan.saved(settings),
                splits,
                part.number(),
                index);
        fed = task instanceof HostedTask hosted ? hosted : null;
    }

    /** {@code source+map+sink[0]}. */
    public String name() {
        return task.name();
    }

    public boolean over() {
        return over;
    }

    /** True once any input has arrived. */
    public boolean touched() {
        return touched;
    }

    /** Replaces the orders given before. A turn must follow. */
    public void order(HostedOrders next) {
        if (next.version() > orders.version()) {
            orders = next;
            BitSet reached = new BitSet();
            next.reached().forEach(reached::set);
            unwanted = demand.unwanted(reached);
        }
    }

    /**
     * Processes a record.
     *
     * @param root identifies the record in {@link Host#answered}, if it is {@link Outcome#HELD}; not 0
     */
    public Outcome record(int input, Object value, long time, long stamp, long root) throws Exception {
        HostedTask to = fed();
        if (!touched) {
            start();
        }
        reported.outcome = Outcome.DONE;
        reported.inHand = root;
        to.record(input, value, time, stamp, root);
        reported.inHand = 0;
        return reported.outcome;
    }

    /**
     * True if the chain sends requests to the outside ({@code async}). Then call {@link #waitsForAnswers} before each
     * record.
     */
    public boolean asynchronous() {
        return asynchronous;
    }

    /** True if no record may be given before a turn has handled more answers. */
    public boolean waitsForAnswers() {
        return asynchronous && fed().waitsForAnswers();
    }

    /** The root of the record whose output is being sent; 0 if there is none. */
    public long rootInHand() {
        return fed().rootInHand();
    }

    /** When the next turn is due even without {@link Host#wakeUp}, in the time of {@link HostedPlan#nowNs}; 0 if never. */
    public long nextDueNs() {
        return task.nextDueNs();
    }

    /** Advances the watermark of an input. */
    public void watermark(int input, long watermark) throws Exception {
        start();
        fed().watermark(input, watermark);
        turns();
    }

    /** A barrier has arrived. True if the caller must buffer what follows on this input until {@link #holds} is false. */
    public boolean barrier(int input, long checkpoint) throws Exception {
        start();
        boolean holds = fed().barrier(input, checkpoint);
        turns();
        return holds;
    }

    /** True while the input is blocked by barrier alignment: the caller must buffer what arrives on it. */
    public boolean holds(int input) {
        return fed().holds(input);
    }

    /** The input has ended. */
    public void end(int input, boolean cancelled) throws Exception {
        start();
        fed().end(input, cancelled);
        turns();
    }

    /**
     * Does some work: opens, reads some records if the chain begins with a source, carries out orders. True if there
     * was any.
     */
    public boolean turn() throws Exception {
        if (over) {
            return false;
        }
        Turn turn = task.call();
        over = turn == Turn.DONE;
        return turn == Turn.BUSY;
    }

    /** Calls {@link #turn} until there is nothing to do, for a chain that gets its input from {@link #record}. */
    public void turns() throws Exception {
        boolean busy = true;
        for (int turns = 0; busy && turns < MOST_TURNS; turns++) {
            busy = turn();
        }
    }

    /** Input means that all tasks are open and their outputs restored, even if the order to start has not arrived. */
    private void start() throws Exception {
        if (!touched) {
            touched = true;
            turns();
        }
    }

    private HostedTask fed() {
        return Objects.requireNonNull(fed);
    }

    public HostedCounts counts() {
        TaskCounters counters = task.counters();
        TaskStats stats = new TaskStats(
                task.name(),
                part.operators(),
                index,
                counters.recordsIn.get(),
                counters.recordsOut.get() + counters.recordsWritten.get(),
                counters.recordsBad.get(),
                counters.recordsLate.get(),
                counters.busyNs.get(),
                counters.waitingNs.get(),
                counters.heldBackNs.get(),
                0,
                counters.longestCallNs.get(),
                counters.slowCalls.get(),
                counters.alignment,
                counters.connections.get(),
                counters.input,
                counters.state,
                counters.splitTimes,
                counters.batchesIn.get(),
                counters.overdueUs.get(),
                counters.lateLog.told());
        return HostedCounts.of(stats, part.reads(), counters);
    }

    /** Adds to the time that the task was busy, and to the time that it waited. */
    public void spent(long busyNs, long waitingNs) {
        TaskCounters.add(task.counters().busyNs, busyNs);
        TaskCounters.add(task.counters().waitingNs, waitingNs);
    }

    /** Closes everything, after the job has failed or was killed. */
    public void abandon() {
        if (!over) {
            over = true;
            task.abandon();
        }
    }

    /** Collects what the chain reports of roots, during {@link #record} and later, for records that wait for answers. */
    private static final class Reported implements Reports {
        private final Host host;
        private long inHand;
        private Outcome outcome = Outcome.DONE;

        Reported(Host host) {
            this.host = host;
        }

        @Override
        public void report(long root, long ids) {
            if (root != inHand) {
                host.answered(root, false);
            } else if (ids != HostedTask.IN_HAND) { // the record is not done yet
                outcome = Outcome.HELD;
            }
        }

        @Override
        public void fail(long root, String operator, String reason) {
            if (root == inHand) {
                outcome = Outcome.FAILED;
            } else {
                host.answered(root, true);
            }
        }
    }

    private final class Agreement implements TaskAgreement {
        private final Host host;
        private final int place;

        /** The job continues from a checkpoint. */
        private final boolean restored;

        /** When the job was cancelled; 0 if it was not. */
        private long cancelledNs;

        Agreement(Host host, int place, boolean restored) {
            this.host = host;
            this.place = place;
            this.restored = restored;
        }

        @Override
        public void opened() {
            host.opened(!restored);
        }

        @Override
        public boolean allOpened() {
            return touched || orders.opened();
        }

        @Override
        public void outputsRestored() {
            host.opened(true);
        }

        @Override
        public boolean allOutputsRestored() {
            return touched || orders.started();
        }

        @Override
        public boolean cancelled() {
            return orders.cancelled();
        }

        @Override
        public boolean dropping() {
            if (dropsAfterNs == NEVER || !orders.cancelled()) {
                return false;
            }
            long nowNs = HostedPlan.nowNs();
            cancelledNs = cancelledNs == 0 ? nowNs : cancelledNs;
            return nowNs - cancelledNs >= dropsAfterNs;
        }

        @Override
        public void dropped(String of, long records) {
            if (records > 0) {
                host.dropped(records);
            }
        }

        @Override
        public boolean draining(int source) {
            return unwanted.get(source);
        }

        @Override
        public void reached(int limit) {
            host.reached(limit);
        }

        @Override
        public void ending() {
            // HostedJob checks the counts of all tasks
        }

        @Override
        public void drained() {
            host.drained();
        }

        @Override
        public boolean mayCommit(ChainTask of) {
            return orders.mayCommit() && (place < 0 || orders.committed() == place);
        }

        @Override
        public void committed(ChainTask of) {
            host.committed();
        }
    }

    private final class Saving implements Barriers {
        private final Host host;

        Saving(Host host) {
            this.host = host;
        }

        @Override
        public boolean aligned() {
            return true;
        }

        @Override
        public long asked() {
            return orders.asked();
        }

        @Override
        public long completed() {
            return orders.completed();
        }

        @Override
        public long stopAt() {
            return orders.stopAt();
        }

        @Override
        public void save(int number, TaskState state, long heldNs, long tookNs) {
            host.saved(state.checkpoint(), state.toBytes(), heldNs, tookNs);
        }

        @Override
        public void end(int number, TaskState state) {
            host.saved(0, state.toBytes(), 0, 0);
        }
    }
}
