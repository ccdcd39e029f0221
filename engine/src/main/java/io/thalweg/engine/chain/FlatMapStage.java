// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.operator.FlatMapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.ack.Anchor;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Draws records from the function's iterable while there is room and time in the turn, and keeps the rest for later. */
final class FlatMapStage implements Receiver, Stage {
    private final String operator;
    private final Frame frame;
    private final FlatMapFunction<Object, Object> function;
    private final boolean endsTurns;
    private final Receiver next;

    /** What waits for room or for a turn: output of one record, or of several if an earlier operator continued although there was none. */
    private final Deque<Rest> rests = new ArrayDeque<>();

    /** The remaining output of one record; it counts as a record of its own in the tree of its root. */
    record Rest(Iterator<?> records, long time, long stamp, long root, long id) {}

    /** The record that is being passed down the chain; null while the function's iterator is called. */
    private @Nullable Object drawn;

    /** @param endsTurns false to stop only for room */
    record Parts(
            String operator, Frame frame, FlatMapFunction<Object, Object> function, boolean endsTurns, Receiver next)
            implements Specialiser.Parts<Receiver> {
        @Override
        public Class<FlatMapStage> type() {
            return FlatMapStage.class;
        }
    }

    FlatMapStage(Parts parts) {
        operator = parts.operator();
        frame = parts.frame();
        function = parts.function();
        endsTurns = parts.endsTurns();
        next = parts.next();
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void accept(Object value) throws Exception {
        Iterator<?> records = apply(value);
        if (rests.isEmpty()) {
            draw(records);
        } else {
            rests.add(rest(records));
        }
    }

    private Rest rest(Iterator<?> records) {
        Anchor anchor = frame.anchor;
        return anchor == null
                ? new Rest(records, frame.time, frame.stamp, 0, 0)
                : new Rest(records, frame.time, frame.stamp, anchor.root(), anchor.next());
    }

    private Iterator<?> apply(Object value) throws OperatorException {
        try {
            Iterable<?> records = function.apply(value);
            if (records == null) {
                throw NullValueException.ofFlatMap(function, value);
            }
            return records.iterator();
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return Collections.emptyIterator();
        }
    }

    @Override
    public void resume() throws Exception {
        while (!rests.isEmpty() && !frame.blocked) {
            Rest first = rests.remove();
            frame.time = first.time();
            frame.stamp = first.stamp();
            Anchor anchor = frame.anchor;
            if (anchor != null) {
                anchor.begin(first.root(), first.id());
            }
            drawOn(first.records());
            if (anchor != null) {
                anchor.end();
            }
        }
    }

    @Override
    public int drop() {
        int dropped = rests.size();
        rests.clear();
        return dropped;
    }

    /** Continues outside the call for the input record: if one output record is dropped, the others still follow. */
    private void drawOn(Iterator<?> records) throws Exception {
        boolean again = true;
        while (again) {
            try {
                draw(records);
                again = false;
            } catch (OperatorException e) {
                Object failed = drawn;
                if (failed == null) {
                    throw e;
                }
                frame.onFailure(e, failed, false);
            }
        }
    }

    private void draw(Iterator<?> records) throws Exception {
        while (true) {
            drawn = null;
            @Nullable Object record;
            try {
                if (!records.hasNext()) {
                    return;
                }
                if (endsTurns ? frame.pauses() : frame.blocked) {
                    rests.addFirst(rest(records));
                    return;
                }
                record = records.next();
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            if (record == null) {
                throw new OperatorException(
                        operator,
                        frame.split,
                        frame.offset,
                        new NullValueException(Signatures.describe(function)
                                + ", given to flatMap, returned a null among its records; leave it out"));
            }
            drawn = record;
            next.accept(record);
        }
    }
}
