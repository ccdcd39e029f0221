// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.KeyedBroadcastOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.Map;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A user's operator with keyed state and timers, whose second input is broadcast. */
public final class KeyedBroadcast extends KeyedProcessing<KeyedBroadcastOperator<Object, Object, Object, Object>>
        implements TwoInputStreamOperator<Object, Object, Object> {
    private static final long serialVersionUID = 1L;

    private final Stamps stamps;

    public KeyedBroadcast(
            StageSettings settings,
            Stamps stamps,
            OperatorSupplier<? extends KeyedBroadcastOperator<Object, Object, Object, Object>> supplier,
            Map<String, OutputTag<Object>> sides) {
        super(settings, supplier, sides);
        this.stamps = stamps;
    }

    @Override
    boolean broadcasts() {
        return true;
    }

    @Override
    public void processElement1(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, stamps.first());
        if (value == null) {
            return;
        }
        try {
            operator().process(key(), value, emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }

    @Override
    public void processElement2(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, stamps.second());
        if (value == null) {
            return;
        }
        context().broadcast(true);
        try {
            operator().processBroadcast(value, emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        } finally {
            context().broadcast(false);
        }
    }
}
