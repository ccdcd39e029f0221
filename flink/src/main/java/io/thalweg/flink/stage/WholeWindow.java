// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.flink.record.StableKey;
import java.util.Set;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.jspecify.annotations.Nullable;

/** One window over the whole input: each key has a timer at the end of time. */
public final class WholeWindow extends Windowed implements Triggerable<StableKey, VoidNamespace> {
    private static final long serialVersionUID = 1L;

    private transient @Nullable ValueState<Object> ofKey;
    private transient @Nullable InternalTimerService<VoidNamespace> timers;

    public WholeWindow(StageSettings settings, Aggregate<Object, Object, Object> aggregate) {
        super(settings, aggregate, 0, null);
    }

    @Override
    void begin() throws Exception {
        ofKey = valueState("window", accumulators.serializer("whole input: " + aggregate.describe()));
        timers = getInternalTimerService("end", VoidNamespaceSerializer.INSTANCE, this);
    }

    @Override
    Set<String> states() {
        return Set.of("window over the whole input");
    }

    @Override
    void accept(Object value) throws Exception {
        ValueState<Object> state = opened(ofKey);
        try {
            Object accumulator = state.value();
            if (accumulator == null) {
                accumulator = accumulators.create();
                opened(timers).registerEventTimeTimer(VoidNamespace.INSTANCE, Long.MAX_VALUE);
            } else {
                accumulator = accumulators.inState(accumulator);
            }
            accumulators.add(accumulator, value);
            state.update(accumulator);
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }

    @Override
    public void onEventTime(InternalTimer<StableKey, VoidNamespace> timer) throws Exception {
        ValueState<Object> state = opened(ofKey);
        Object accumulator = state.value();
        if (accumulator != null) {
            emit(timer.getKey().key(), Long.MIN_VALUE, Long.MAX_VALUE, accumulator, Long.MIN_VALUE);
        }
        state.clear();
    }

    @Override
    public void onProcessingTime(InternalTimer<StableKey, VoidNamespace> timer) {
        throw new IllegalStateException("there are no timers of processing time");
    }
}
