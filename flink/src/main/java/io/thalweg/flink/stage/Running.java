// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Keyed;
import org.apache.flink.api.common.state.ValueState;
import org.jspecify.annotations.Nullable;

/** Emits the current result after every record. */
public final class Running extends OneInput {
    private static final long serialVersionUID = 1L;

    private final Aggregate<Object, Object, Object> aggregate;
    private transient @Nullable ValueState<Object> accumulators;

    public Running(StageSettings settings, Aggregate<Object, Object, Object> aggregate) {
        super(settings);
        this.aggregate = aggregate;
    }

    @Override
    public void open() throws Exception {
        super.open();
        accumulators = valueState("aggregate", aggregate.accumulatorType(), "running: " + aggregate.describe());
    }

    @Override
    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    void accept(Object value) throws Exception {
        ValueState<Object> state = opened(accumulators);
        Object result;
        try {
            Object accumulator = state.value();
            if (accumulator == null) {
                accumulator = aggregate.create();
            }
            aggregate.add(accumulator, value);
            state.update(accumulator);
            result = aggregate.result(accumulator);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        emit(new Keyed<>(key(), result));
    }
}
