// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.KeyedContext;
import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.Output;
import io.thalweg.api.operator.ValueState;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the records of each key, and aggregates those of each window. */
final class CountWindowOperator implements KeyedOperator<Object, Object, Object> {
    /** When the windows fire that are not full. */
    private static final long END_OF_INPUT = Long.MAX_VALUE;

    private final WindowSpec.Count window;
    private final Aggregate<Object, Object, Object> aggregate;
    private @Nullable KeyedContext context;
    private @Nullable ValueState<Open<Object>> open;

    CountWindowOperator(WindowSpec.Count window, Aggregate<Object, Object, Object> aggregate) {
        this.window = window;
        this.aggregate = aggregate;
    }

    /**
     * The open windows of a key.
     *
     * @param records how many there were since the latest window began, that window being full or not; 0 if the next record begins one
     * @param accumulators of the open windows, oldest first
     */
    record Open<A>(long records, List<A> accumulators) {}

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not open");
        }
        return part;
    }

    /** The name of the state has the window and the aggregate in it, so that no other is given it. */
    @Override
    public void open(KeyedContext opened) {
        context = opened;
        open = opened.state(window + ": " + aggregate.describe(), Type.of(Open.class, aggregate.accumulatorType()));
    }

    @Override
    public void process(Object key, Object value, Output<Object> output) throws Exception {
        Open<Object> before = opened(open).get();
        long records = before == null ? 0 : before.records();
        List<Object> accumulators = before == null ? new ArrayList<>() : new ArrayList<>(before.accumulators());
        if (records == 0) {
            accumulators.add(aggregate.create());
        }
        for (Object accumulator : accumulators) {
            aggregate.add(accumulator, value);
        }
        if (accumulators.isEmpty()) {
            aggregate.add(aggregate.create(), value); // between two windows a bad record takes no place either
        }
        records++;
        Object full = isFull(records, accumulators.size()) ? accumulators.remove(0) : null;
        keep(records == window.step() ? 0 : records, accumulators, before == null);
        if (full != null) {
            emit(key, window.size(), full, output);
        }
    }

    private boolean isFull(long records, int windows) {
        return windows > 0 && records + window.step() * (windows - 1) == window.size();
    }

    private void keep(long records, List<Object> accumulators, boolean first) {
        if (records == 0 && accumulators.isEmpty()) {
            opened(open).clear();
            opened(context).cancelTimer(END_OF_INPUT);
        } else {
            opened(open).set(new Open<>(records, accumulators));
            if (first) {
                opened(context).setTimer(END_OF_INPUT);
            }
        }
    }

    @Override
    public void onTimer(Object key, long time, Output<Object> output) throws Exception {
        Open<Object> rest = opened(open).get();
        opened(open).clear();
        if (rest != null) {
            long records = rest.records() == 0 ? window.step() : rest.records();
            records += window.step() * (rest.accumulators().size() - 1);
            for (Object accumulator : rest.accumulators()) {
                emit(key, records, accumulator, output);
                records -= window.step();
            }
        }
    }

    /** A result is null if the aggregate has none, and so is then the value of the window's. */
    @SuppressWarnings("NullAway")
    private void emit(Object key, long records, Object accumulator, Output<Object> output) throws Exception {
        output.emit(new WindowResult<>(key, 0, records, aggregate.result(accumulator)));
    }
}
