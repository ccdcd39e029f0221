// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.graph.AsyncMap;
import io.thalweg.api.operator.JoinFunction;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.chain.Asynchronous;
import io.thalweg.engine.chain.Count;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.queue.Batch;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Holds records while their lookups are in flight, and emits what comes of them, in order or not. */
public final class AsyncStage implements Receiver, Asynchronous {
    /**
     * A record that waits for its lookup, with what the frame said of it.
     *
     * @param watermark that had come before it
     * @param id one that waits counts as a record of its own in the tree of its root
     */
    record Held(
            Object value,
            Lookup lookup,
            long watermark,
            long time,
            long stamp,
            String split,
            long offset,
            long dueNs,
            long root,
            long id) {}

    private final Frame frame;
    private final Lookups lookups;
    private final boolean ordered;
    private final int most;
    private final @Nullable JoinFunction<Object, Object, Object> function;
    private final Count.Passed passed;
    private final Receiver next;

    /** If they leave in order: all that are held. */
    private final ArrayDeque<Held> inOrder = new ArrayDeque<>();

    /** If not: those whose lookup is done. The others are with their lookup. */
    private final ArrayDeque<Held> done = new ArrayDeque<>();

    /** How many of the records in hand came behind each watermark. */
    private final TreeMap<Long, Integer> behind = new TreeMap<>();

    private int held;
    private long watermark = Batch.NO_WATERMARK;

    /** @param passed counts records that the operator is done with */
    public AsyncStage(Frame frame, Lookups lookups, AsyncMap spec, Count.Passed passed, Receiver next) {
        this.frame = frame;
        this.lookups = lookups;
        this.ordered = spec.options().ordered();
        this.most = spec.options().concurrency();
        this.function = spec.function();
        this.passed = passed;
        this.next = next;
    }

    @Override
    public String operator() {
        return lookups.operator();
    }

    @Override
    public void open() throws Exception {
        try {
            lookups.open();
        } catch (Exception e) {
            throw new OperatorException(operator(), frame.split, frame.offset, e);
        }
    }

    @Override
    public void accept(Object value) throws Exception {
        Lookup lookup;
        try {
            lookup = lookups.of(value);
        } catch (Throwable thrown) {
            frame.onThrown(operator(), thrown);
            return;
        }
        Anchor anchor = frame.anchor;
        Held record = new Held(
                value,
                lookup,
                watermark,
                frame.time,
                frame.stamp,
                frame.split,
                frame.offset,
                frame.dueNs,
                anchor == null ? 0 : anchor.root(),
                anchor == null ? 0 : anchor.next());
        if (ordered) {
            inOrder.add(record);
        } else if (lookup.done()) {
            done.add(record);
        } else {
            lookup.waiting.add(record);
        }
        held++;
        behind.merge(watermark, 1, Integer::sum);
        frame.blocked |= full();
    }

    @Override
    public void emit(LongConsumer onEmitted) throws Exception {
        if (held == 0) {
            return;
        }
        lookups.hear(lookup -> done.addAll(lookup.waiting));
        while (!frame.blocked) {
            Held first = ordered ? inOrder.peek() : done.peek();
            if (first == null || !first.lookup().done()) {
                return;
            }
            (ordered ? inOrder : done).remove();
            held--;
            behind.computeIfPresent(first.watermark(), (at, records) -> records == 1 ? null : records - 1);
            emit(first);
            onEmitted.accept(first.dueNs());
        }
    }

    private void emit(Held record) throws Exception {
        frame.time = record.time();
        frame.stamp = record.stamp();
        frame.split = record.split();
        frame.offset = record.offset();
        frame.dueNs = record.dueNs();
        Anchor anchor = frame.anchor;
        if (anchor != null) {
            anchor.begin(record.root(), record.id());
        }
        try {
            handOn(record);
            passed.records++;
        } catch (OperatorException e) {
            frame.onFailure(e, record.value());
        }
        if (anchor != null) {
            anchor.end();
        }
    }

    private void handOn(Held record) throws Exception {
        @Nullable Object result;
        try {
            result = record.lookup().result();
            if (function != null) {
                result = function.apply(record.value(), result);
            }
        } catch (Throwable thrown) {
            frame.onThrown(operator(), thrown);
            return;
        }
        if (result != null) {
            next.accept(result);
        }
    }

    @Override
    public int held() {
        return held;
    }

    @Override
    public boolean full() {
        return held >= most;
    }

    @Override
    public int drop() {
        int dropped = held;
        lookups.abandon();
        inOrder.clear();
        done.clear();
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

    /** Without room there is nothing to do but to wait for it. */
    @Override
    public long nextDueNs() {
        return held == 0 || frame.blocked ? 0 : lookups.nextDueNs();
    }

    @Override
    public void close() throws Exception {
        lookups.close();
    }
}
