// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.HeldRecord;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.operator.ThreadedOperator;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.chain.Asynchronous;
import io.thalweg.engine.chain.BatchingStage;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A user's operator that emits from threads of its own: emits what they have brought, and knows the records that it holds. */
final class ThreadedStage implements Receiver, Asynchronous, BatchingStage, SharedEmitter.Task {
    private final ProcessStage.Context context;
    private final Frame frame;
    private final ThreadedOperator<Object, Object> operator;
    private final Emitter output;
    private final Stage process;
    private final @Nullable Stage ticks;
    private final boolean acked;
    private final SharedEmitter shared;
    private final Deque<SharedEmitter.Entry> taken = new ArrayDeque<>();

    /** How many of the records held came behind each watermark. */
    private final TreeMap<Long, Integer> behind = new TreeMap<>();

    private int held;
    private long watermark = Batch.NO_WATERMARK;
    private LongConsumer onDone = dueNs -> {};
    private boolean started;
    private boolean finished;

    /** The record that {@code process} is being called with may be held. */
    private boolean processing;

    private SharedEmitter.@Nullable Held current;

    /**
     * What it is made of.
     *
     * @param process opens, finishes, saves and closes the operator
     * @param ticks null if it does not tick
     * @param acked records that are held keep the source from going past them, so no barrier has to wait for them
     */
    record Parts(
            ProcessStage.Context context,
            ThreadedOperator<Object, Object> operator,
            Emitter output,
            Stage process,
            @Nullable Stage ticks,
            boolean acked,
            Outlets outlets) {}

    /**
     * Where its threads emit to.
     *
     * @param capacity records that wait to be taken before a thread that emits has to
     */
    record Outlets(Receiver next, Map<String, Receiver> sides, int capacity, Runnable wakeUp) {}

    /** Of one task. */
    ThreadedStage(Parts parts) {
        context = parts.context();
        frame = context.frame;
        operator = parts.operator();
        output = parts.output();
        process = parts.process();
        ticks = parts.ticks();
        acked = parts.acked();
        Outlets to = parts.outlets();
        shared = new SharedEmitter(
                context.operator(), to.next(), to.sides(), context.timed, to.capacity(), to.wakeUp(), this);
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Calls the operator; meanwhile none of its threads waits for room. */
    private void calling(Call call) throws Exception {
        shared.enter();
        try {
            call.run();
        } finally {
            shared.leave();
        }
    }

    @Override
    public String operator() {
        return context.operator();
    }

    @Override
    public void open() throws Exception {
        process.open();
        if (ticks != null) {
            ticks.open();
        }
    }

    private void start() throws Exception {
        if (!started) {
            started = true;
            try {
                calling(() -> operator.start(shared));
                context.returned();
            } catch (Throwable thrown) {
                context.onThrown(thrown);
            }
        }
    }

    // ---- records

    @Override
    public void accept(Object value) throws Exception {
        shared.enter();
        processing = true;
        try {
            operator.process(value, output);
            context.returned();
            if (current == null) {
                onDone.accept(frame.dueNs);
            }
        } catch (Throwable thrown) {
            if (current != null) {
                current.ack(); // what became of it, the failure says
            }
            context.onThrown(thrown);
        } finally {
            processing = false;
            current = null;
        }
    }

    /** Its threads may wait for room again. */
    @Override
    public void settle() {
        shared.leave();
    }

    @Override
    public HeldRecord<Object> hold() {
        if (!processing) {
            throw SharedEmitter.notInProcess(operator());
        }
        if (current == null) {
            Anchor anchor = frame.anchor;
            current = shared
            .new Held(
                    frame.time,
                    frame.stamp,
                    frame.split,
                    frame.offset,
                    frame.dueNs,
                    anchor == null ? 0 : anchor.root(),
                    anchor == null ? 0 : anchor.next(),
                    watermark);
            behind.merge(watermark, 1, Integer::sum);
            held++;
        }
        return current;
    }

    @Override
    public void emit(LongConsumer onEmitted) throws Exception {
        onDone = onEmitted;
        start();
        emitTaken();
    }

    /** Emits what threads have brought so far, until there is no more room. */
    private void emitTaken() throws Exception {
        Throwable failure = shared.failure();
        if (failure != null) {
            throw new OperatorException(operator(), "", 0, failure);
        }
        if (taken.isEmpty()) {
            shared.take(taken);
        }
        for (boolean goesOn = !frame.blocked; goesOn; goesOn = !frame.pauses()) {
            SharedEmitter.Entry entry = taken.poll();
            if (entry == null) {
                return;
            }
            if (entry instanceof SharedEmitter.Emission emission) {
                deliver(emission, emission.of().split);
            } else if (entry instanceof SharedEmitter.Settled settled) {
                settle(settled);
            }
        }
    }

    /** Within a call of the operator, where the frame has the record that it was called with. */
    @Override
    public void emitNow(SharedEmitter.Emission emission) {
        long time = frame.time;
        long stamp = frame.stamp;
        String split = frame.split;
        long offset = frame.offset;
        long dueNs = frame.dueNs;
        Anchor anchor = frame.anchor;
        Anchor.Place place = anchor == null ? null : anchor.place();
        try {
            String of = emission.of().split;
            deliver(emission, of.isEmpty() ? split : of); // of no record: messages name the current one
        } catch (Throwable thrown) {
            throw new Emitter.Downstream(frame, thrown);
        } finally {
            frame.time = time;
            frame.stamp = stamp;
            frame.setSplit(split);
            frame.offset = offset;
            frame.dueNs = dueNs;
            if (anchor != null && place != null) {
                anchor.returnTo(place);
            }
        }
    }

    /** What is emitted counts as a record of its own, in the tree of the one that it belongs to. */
    private void deliver(SharedEmitter.Emission emission, String split) throws Exception {
        SharedEmitter.Held of = emission.of();
        frame.time = emission.time();
        frame.stamp = emission.stamp();
        frame.setSplit(split);
        frame.offset = of.offset;
        frame.dueNs = of.dueNs;
        Anchor anchor = frame.anchor;
        if (anchor != null && emission.also().isEmpty()) {
            anchor.begin(of.root, emitted(of, anchor));
        } else if (anchor != null) {
            beginJoint(emission, anchor);
        }
        try {
            emission.to().accept(emission.value());
        } catch (OperatorException e) {
            frame.onFailure(e, emission.value());
        }
        if (anchor != null) {
            anchor.end();
        }
    }

    /** The id of one more record that belongs to one that is held; 0 if that has no root. */
    private static long emitted(SharedEmitter.Held of, Anchor anchor) {
        long id = of.root == 0 ? 0 : anchor.newId();
        of.id ^= id;
        return id;
    }

    private static void beginJoint(SharedEmitter.Emission emission, Anchor anchor) {
        List<SharedEmitter.Held> rooted = new ArrayList<>(emission.also());
        rooted.add(emission.of());
        rooted.removeIf(held -> held.root == 0);
        long[] roots = rooted.stream().mapToLong(held -> held.root).toArray();
        long[] ids = rooted.stream().mapToLong(held -> emitted(held, anchor)).toArray();
        if (roots.length > 1) {
            anchor.begin(roots, ids);
        } else {
            anchor.begin(roots.length == 0 ? 0 : roots[0], roots.length == 0 ? 0 : ids[0]);
        }
    }

    private void settle(SharedEmitter.Settled settled) throws Exception {
        SharedEmitter.Held record = settled.held();
        String failed = settled.failed();
        Anchor anchor = frame.anchor;
        if (failed != null && (anchor == null || record.root == 0)) {
            throw new OperatorException(operator(), record.split, record.offset, new RecordFailedException(failed));
        }
        if (anchor != null && failed != null) {
            anchor.begin(record.root, 0);
            anchor.fail(operator(), failed);
            anchor.end();
        } else if (anchor != null) {
            anchor.release(record.root, record.id);
        }
        behind.computeIfPresent(record.watermark, (at, records) -> records == 1 ? null : records - 1);
        held--;
        onDone.accept(record.dueNs);
    }

    @Override
    public int held() {
        return held;
    }

    /** There is no limit: an operator may need many records before it is done with the first. */
    @Override
    public boolean full() {
        return false;
    }

    @Override
    public boolean holdsBarrier() {
        return !acked && held > 0;
    }

    @Override
    public int drop() {
        int dropped = held;
        shared.end();
        shared.take(taken);
        taken.clear();
        behind.clear();
        held = 0;
        return dropped;
    }

    @Override
    public long passed(long reached) {
        if (reached != Batch.IDLE) {
            watermark = Math.max(watermark, reached);
        }
        return held == 0 ? reached : behind.firstKey();
    }

    @Override
    public long nextDueNs() {
        return 0;
    }

    // ---- the rest of its life

    @Override
    public boolean advance(long to) throws Exception {
        return process.advance(to);
    }

    @Override
    public long dueMs() {
        return ticks == null ? Long.MAX_VALUE : ticks.dueMs();
    }

    @Override
    public void onClock(long epochMs) throws Exception {
        Stage ticking = ticks;
        if (ticking != null) {
            calling(() -> ticking.onClock(epochMs));
        }
    }

    @Override
    public void save(TaskState to) throws Exception {
        calling(() -> process.save(to));
    }

    @Override
    public void saveFinished(TaskState to) throws Exception {
        process.saveFinished(to);
    }

    @Override
    public void restore(Restored from) throws Exception {
        process.restore(from);
    }

    @Override
    public boolean finish() throws Exception {
        if (!finished) {
            start();
            finished = true;
            if (ticks != null) {
                ticks.finish();
            }
            calling(process::finish);
        }
        emitTaken();
        return !frame.blocked && taken.isEmpty() && shared.endIfDone();
    }

    @Override
    public boolean emitLast() throws Exception {
        shared.end();
        do {
            emitTaken();
        } while (!frame.blocked && !taken.isEmpty());
        return taken.isEmpty();
    }

    @Override
    public void close() throws Exception {
        shared.end();
        process.close();
    }
}
