// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.engine.HostedChain;
import io.thalweg.engine.HostedCounts;
import io.thalweg.engine.HostedOrders;
import io.thalweg.engine.HostedPlan;
import io.thalweg.engine.HostedStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.ObjectReader;
import org.jspecify.annotations.Nullable;

/** What spouts and bolts share: the task of a chain, its links to downstream tasks, and its messages to the watch bolt. */
final class TaskHost implements HostedChain.Host {
    static final String NOTES = "messages";
    static final String ORDERS = "orders";
    static final String WATCH = "watch";
    private static final String WORKER = UUID.randomUUID().toString();
    private static final long LEAVING_MS = 3_000;
    private static final long NUDGE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long COUNT_NS = TimeUnit.SECONDS.toNanos(10);

    /** Sends tuples through Storm's collector. */
    interface Exit {
        void send(int stormTask, String stream, TupleValue item);

        void report(ControlMessage message);

        /** As {@link HostedChain.Host#wakeUp}. */
        default void wakeUp() {}

        /** As {@link HostedChain.Host#answered}. */
        default void answered(long root, boolean failed) {}
    }

    private final Exit exit;
    private final HostedPlan.Part part;
    private final int index;
    private final long life = UUID.randomUUID().getMostSignificantBits();

    /** By number of the edge; null if this part does not send along it. */
    private final @Nullable Way[] ways;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream console = new PrintStream(printed, false, StandardCharsets.UTF_8);
    private @Nullable HostedCounts reported;

    /** Lines for the user that are not sent yet. */
    private final Queue<String> warnings = new ConcurrentLinkedQueue<>();

    private @Nullable HostedChain chain;
    private final String topology;
    private final boolean batched;

    /** True if this is not the JVM that started the job. */
    private boolean apart;

    private long nudgedNs;
    private long countedNs = HostedPlan.nowNs();
    private boolean open;
    private boolean outputsRestored;

    private boolean savedLast;

    /** That the task has drained, or committed: the job waits for it. */
    private @Nullable ControlMessage end;

    /** Limits of this task that are reached. */
    private final BitSet reached = new BitSet();

    /** One edge, with Storm's ids of the downstream tasks, and how many tuples each of them was sent. */
    private record Way(String stream, Codec<Object> codec, int[] tasks, long[] sent, int first, int end) {}

    TaskHost(HostedPlan plan, HostedPlan.Part part, Map<String, Object> conf, TopologyContext context, Exit exit) {
        this.exit = exit;
        batched = ObjectReader.getInt(conf.get(Config.TOPOLOGY_PRODUCER_BATCH_SIZE), 1) > 1
                || ObjectReader.getInt(conf.get(Config.TOPOLOGY_TRANSFER_BATCH_SIZE), 1) > 1;
        topology = plan.graph().name();
        this.part = part;
        index = context.getThisTaskIndex();
        ways = new Way[plan.graph().edges().size()];
        for (HostedPlan.Link link : plan.links()) {
            if (link.from() == part.number()) {
                int[] tasks = tasks(context, component(link.to()));
                boolean straight = link.straight();
                ways[link.number()] = new Way(
                        stream(link.number()),
                        link.codec(),
                        tasks,
                        new long[tasks.length],
                        straight ? index : 0,
                        straight ? index + 1 : tasks.length);
            }
        }
    }

    String topology() {
        return topology;
    }

    /** True if Storm sends tuples in batches, which one of them may leave later than the next: see {@link #nudge}. */
    boolean batched() {
        return batched;
    }

    /** True once the chain was opened. */
    boolean isOpen() {
        return open;
    }

    /** Makes the chain that this hosts. */
    HostedChain chain(HostedPlan plan, JobDescriptor descriptor, HostedOrders orders) {
        HostedChain made = new HostedChain(plan, descriptor.settings(), descriptor.splits(), part, index, orders, this);
        chain = made;
        apart = !descriptor.local();
        return made;
    }

    /** True if a failure comes from Storm stopping the worker. */
    static boolean stopping(Throwable thrown) {
        boolean stopping = Thread.currentThread().isInterrupted();
        for (Throwable each = thrown; each != null && !stopping; each = each.getCause()) {
            stopping = each instanceof InterruptedException
                    || each instanceof InterruptedIOException
                    || each instanceof ClosedByInterruptException;
        }
        return stopping;
    }

    /**
     * Waits until the thread of a task has left it. Storm closes a task shortly after it has interrupted its thread,
     * which may still be processing a record, and must not write anything while the next attempt of the job runs.
     *
     * @return false if the thread has not left; then that thread must close the task
     */
    static boolean left(Thread thread) {
        if (thread == Thread.currentThread()) {
            return true;
        }
        try {
            thread.join(LEAVING_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    static String component(int part) {
        return "chain-" + part;
    }

    static String stream(int link) {
        return "edge-" + link;
    }

    static int[] tasks(TopologyContext context, String component) {
        List<Integer> tasks = context.getComponentTasks(component);
        return tasks.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    @Override
    @SuppressWarnings("NullAway") // only links that begin here
    public void record(int link, int target, Object value, long time, long stamp) {
        Way way = ways[link];
        long number = ++way.sent[target];
        exit.send(way.tasks[target], way.stream, TupleValue.record(link, number, value, way.codec, time, stamp));
    }

    @Override
    public void watermark(int link, long watermark) {
        mark(TupleValue.WATERMARK, link, watermark);
    }

    @Override
    public void barrier(int link, long checkpoint) {
        mark(TupleValue.BARRIER, link, checkpoint);
    }

    @Override
    public void end(int link, boolean cancelled) {
        mark(cancelled ? TupleValue.CANCELLED_END : TupleValue.END, link, 0);
    }

    @SuppressWarnings("NullAway") // only links that begin here
    private void mark(int kind, int link, long time) {
        Way way = ways[link];
        for (int target = way.first; target < way.end; target++) {
            exit.send(way.tasks[target], way.stream, TupleValue.mark(kind, link, ++way.sent[target], time));
        }
    }

    @Override
    public void bad(String operator, BadRecord record) {
        exit.report(ControlMessage.of(ControlMessage.Kind.BAD, number(), life, operator, ControlMessage.BAD, record));
    }

    @Override
    public void opened(boolean restored) {
        open = true;
        outputsRestored = restored;
        sayOpened();
        reportReached();
    }

    /** Also called again, in case the message was lost, and in a task that was restarted, which is known by its new life. */
    void sayOpened() {
        exit.report(new ControlMessage(
                ControlMessage.Kind.OPENED, number(), life, outputsRestored ? 1 : 0, "", new byte[0]));
    }

    @Override
    public void saved(long checkpoint, byte[] state, long heldNs, long tookNs) {
        if (checkpoint == 0) {
            report(); // the watch bolt checks the counts before a last checkpoint
            savedLast = true;
        }
        sendPrinted(); // a job restored from the checkpoint does not print it again
        exit.report(new ControlMessage(
                ControlMessage.Kind.SAVED, number(), life, checkpoint, heldNs + " " + tookNs, state));
    }

    @Override
    public void reached(int limit) {
        reached.set(limit);
        reportReached();
    }

    /** Reports limits that are reached, once the task is open; earlier messages would be ignored. */
    private void reportReached() {
        if (open) {
            reached.stream()
                    .forEach(limit -> exit.report(
                            new ControlMessage(ControlMessage.Kind.REACHED, number(), life, limit, "", new byte[0])));
        }
    }

    @Override
    public void drained() {
        report();
        end = new ControlMessage(ControlMessage.Kind.DRAINED, number(), life, savedLast ? 1 : 0, "", new byte[0]);
        exit.report(end);
    }

    @Override
    public void committed() {
        report();
        end = message(ControlMessage.Kind.COMMITTED);
        exit.report(end);
    }

    @Override
    public void wakeUp() {
        exit.wakeUp();
    }

    @Override
    public void answered(long root, boolean failed) {
        exit.answered(root, failed);
    }

    @Override
    public void dropped(long records) {
        exit.report(ControlMessage.of(
                ControlMessage.Kind.WARNING,
                number(),
                life,
                "topology '" + topology + "': " + records + " records in flight were dropped, before task '"
                        + part.name() + "[" + index + "]'; --stop-timeout waits longer for them"));
    }

    /** Storm lets no other thread send than that of the task. */
    @Override
    public void warn(String line) {
        warnings.add(line);
    }

    void sendWarnings() {
        for (String line = warnings.poll(); line != null; line = warnings.poll()) {
            exit.report(ControlMessage.of(ControlMessage.Kind.WARNING, number(), life, line));
        }
    }

    @Override
    public PrintStream console() {
        return console;
    }

    void acks(long pending, long done, long failed) {
        exit.report(ControlMessage.of(ControlMessage.Kind.ACKS, number(), life, pending + " " + done + " " + failed));
    }

    void failed(String reason) {
        sendWarnings();
        exit.report(ControlMessage.of(ControlMessage.Kind.FAILED, number(), life, reason));
    }

    void pulse() {
        exit.report(message(ControlMessage.Kind.PULSE));
    }

    /**
     * Works around a bug in Storm ({@code JCQueue.BatchInserter}): if a queue has room for only a part of a batch, the
     * rest stays behind until the task's next tuple for that queue. So a task that may have sent its last tuple sends
     * an empty one periodically, and its receivers do the same.
     */
    void nudge() {
        if (!batched || HostedPlan.nowNs() - nudgedNs < NUDGE_NS) {
            return;
        }
        nudgedNs = HostedPlan.nowNs();
        for (int link = 0; link < ways.length; link++) {
            Way way = ways[link];
            for (int target = way == null ? 0 : way.first; way != null && target < way.end; target++) {
                exit.send(way.tasks[target], way.stream, TupleValue.mark(TupleValue.NUDGE, link, 0, 0));
            }
        }
        if (open) {
            pulse();
        }
    }

    /** On a cluster, shows those behind from time to time that all has come, as the last tuple might not. Once all tasks are open. */
    void count() {
        long nowNs = HostedPlan.nowNs();
        if (!apart || nowNs - countedNs < COUNT_NS) {
            return;
        }
        countedNs = nowNs;
        for (int link = 0; link < ways.length; link++) {
            if (ways[link] != null) {
                mark(TupleValue.NUDGE, link, 0);
            }
        }
    }

    /**
     * Storm drops what it cannot send, as while a connection between two workers is broken, and tells nobody: the guarantee of a job
     * without acks is lost with it.
     */
    void lost(String from) {
        exit.report(ControlMessage.of(
                ControlMessage.Kind.LOST,
                number(),
                life,
                "topology '" + topology + "': tuples from " + from + " to task '" + part.name() + "[" + index
                        + "]' were lost, as where a connection between two workers broke"));
    }

    /** Sends counts and printed output that have changed, and repeats messages that must not be lost. */
    void report() {
        reportReached();
        if (end != null) {
            exit.report(end);
        }
        sendPrinted();
        sendWarnings();
        HostedCounts counts = chain == null ? null : chain.counts();
        if (counts != null && !counts.equals(reported)) {
            reported = counts;
            exit.report(
                    ControlMessage.of(ControlMessage.Kind.COUNTS, number(), life, "", ControlMessage.COUNTS, counts));
            if (apart) {
                exit.report(ControlMessage.of(
                        ControlMessage.Kind.PROCESS,
                        number(),
                        life,
                        WORKER,
                        ControlMessage.PROCESS,
                        HostedStats.thisProcess()));
            }
        }
    }

    private void sendPrinted() {
        console.flush();
        if (printed.size() > 0) {
            exit.report(new ControlMessage(ControlMessage.Kind.CONSOLE, number(), life, 0, "", printed.toByteArray()));
            printed.reset();
        }
    }

    private ControlMessage message(ControlMessage.Kind kind) {
        return ControlMessage.of(kind, number(), life);
    }

    private int number() {
        return part.firstTask() + index;
    }

    /** Deserializes the topology; each task has its own copy. */
    static HostedPlan plan(JobDescriptor descriptor, ClassLoader loader) throws IOException {
        return new HostedPlan(descriptor.read(loader), descriptor.settings().parallelism());
    }
}
