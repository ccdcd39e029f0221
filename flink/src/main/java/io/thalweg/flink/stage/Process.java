// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.Ticks;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.OperatorSupplier;
import io.thalweg.api.operator.TickingOperator;
import java.util.Map;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** A user's operator without keys. */
public final class Process extends Processing<Operator<Object, Object>>
        implements OneInputStreamOperator<Object, Object> {
    private static final long serialVersionUID = 1L;

    private final @Nullable Type<Object> copied;
    private transient @Nullable Codec<Object> copies;

    /** @param copied type of the records if their source reuses them, so that the operator gets copies; otherwise null */
    public Process(
            StageSettings settings,
            OperatorSupplier<? extends Operator<Object, Object>> supplier,
            Map<String, OutputTag<Object>> sides,
            @Nullable Type<Object> copied) {
        super(settings, supplier, sides);
        this.copied = copied;
    }

    @Override
    void begin() throws Exception {
        copies = copied == null ? null : copied.codec();
        super.begin();
        if (operator() instanceof TickingOperator<Object, Object> ticking) {
            tick(ticking, new Ticks(ticking, getProcessingTimeService().getCurrentProcessingTime()));
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Flink ends the task where the timer fails
    private void tick(TickingOperator<Object, Object> operator, Ticks ticks) {
        getProcessingTimeService().registerTimer(ticks.dueMs(), at -> {
            if (isFinished()) {
                return;
            }
            time = OperatorContext.NO_TIME;
            stamp = OperatorContext.NO_TIME;
            try {
                operator.onTick(ticks.take(getProcessingTimeService().getCurrentProcessingTime()), emitter());
                returned();
            } catch (Throwable thrown) {
                onThrown(thrown);
            }
            tick(operator, ticks);
        });
    }

    @Override
    public void processElement(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, settings.timedIn());
        if (value == null) {
            return;
        }
        try {
            operator().process(copies == null ? value : copies.copy(value), emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }
}
