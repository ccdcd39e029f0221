// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.KeyedTwoInputOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.Map;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A user's operator with keyed state and timers, which its two inputs share. */
public final class KeyedConnect extends KeyedProcessing<KeyedTwoInputOperator<Object, Object, Object, Object>>
        implements TwoInputStreamOperator<Object, Object, Object> {
    private static final long serialVersionUID = 1L;

    private final Stamps stamps;

    public KeyedConnect(
            StageSettings settings,
            Stamps stamps,
            OperatorSupplier<? extends KeyedTwoInputOperator<Object, Object, Object, Object>> supplier,
            Map<String, OutputTag<Object>> sides) {
        super(settings, supplier, sides);
        this.stamps = stamps;
    }

    @Override
    public void processElement1(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, stamps.first());
        if (value == null) {
            return;
        }
        try {
            operator().processFirst(key(), value, emitter());
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
        try {
            operator().processSecond(key(), value, emitter());
            returned();
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }
}
