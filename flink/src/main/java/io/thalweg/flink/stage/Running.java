// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.Keyed;
import java.util.Set;
import org.apache.flink.api.common.state.ValueState;
import org.jspecify.annotations.Nullable;

/** Emits the current result after every record. */
public final class Running extends OneInput {
    private static final long serialVersionUID = 1L;

    private final Accumulators accumulators;
    private final String holds;
    private transient @Nullable ValueState<Object> ofKey;

    public Running(StageSettings settings, Aggregate<Object, Object, Object> aggregate) {
        super(settings);
        accumulators = new Accumulators(aggregate);
        holds = "running: " + aggregate.describe();
    }

    @Override
    void begin() throws Exception {
        ofKey = valueState("aggregate", accumulators.serializer(holds));
    }

    @Override
    Set<String> states() {
        return Set.of("running aggregate");
    }

    @Override
    @SuppressWarnings("NullAway") // an aggregate over no values may have no result
    void accept(Object value) throws Exception {
        ValueState<Object> state = opened(ofKey);
        Object result;
        try {
            Object accumulator = state.value();
            accumulator = accumulator == null ? accumulators.create() : accumulators.inState(accumulator);
            accumulators.add(accumulator, value);
            state.update(accumulator);
            result = accumulators.result(accumulator);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        emit(new Keyed<>(key(), result));
    }
}
