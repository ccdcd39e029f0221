// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.operator.FlatMapFunction;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Draws records from the function's iterable while there is room, and keeps the rest for later. */
public final class FlatMapStage implements Receiver, Stage {
    private final String operator;
    private final Frame frame;
    private final FlatMapFunction<Object, Object> function;
    private final Receiver next;

    private @Nullable Iterator<?> rest;
    private long time;
    private long stamp;

    public FlatMapStage(String operator, Frame frame, FlatMapFunction<Object, Object> function, Receiver next) {
        this.operator = operator;
        this.frame = frame;
        this.function = function;
        this.next = next;
    }

    @Override
    public String operator() {
        return operator;
    }

    @Override
    public void accept(Object value) throws Exception {
        if (rest != null) {
            // Emitted by a user's operator that went on although there was no room: it waits behind what waits.
            rest = new Joined(rest, apply(value).iterator());
            return;
        }
        draw(apply(value).iterator());
    }

    private Iterable<?> apply(Object value) throws OperatorException {
        try {
            return function.apply(value);
        } catch (Throwable thrown) {
            frame.onThrown(operator, thrown);
            return java.util.List.of();
        }
    }

    @Override
    public void resume() throws Exception {
        Iterator<?> waiting = rest;
        if (waiting != null) {
            rest = null;
            frame.time = time;
            frame.stamp = stamp;
            draw(waiting);
        }
    }

    private void draw(Iterator<?> records) throws Exception {
        while (true) {
            Object record;
            try {
                if (!records.hasNext()) {
                    return;
                }
                if (frame.blocked) {
                    rest = records;
                    time = frame.time;
                    stamp = frame.stamp;
                    return;
                }
                record = records.next();
            } catch (Throwable thrown) {
                frame.onThrown(operator, thrown);
                return;
            }
            next.accept(record);
        }
    }

    record Joined(Iterator<?> first, Iterator<?> second) implements Iterator<Object> {
        @Override
        public boolean hasNext() {
            return first.hasNext() || second.hasNext();
        }

        @Override
        public Object next() {
            return first.hasNext() ? first.next() : second.next();
        }
    }
}
