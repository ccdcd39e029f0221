// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.KeyedOperator;
import io.thalweg.api.operator.OperatorSupplier;
import java.util.Map;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/** A user's operator with keyed state and timers. */
public final class KeyedProcess extends KeyedProcessing<KeyedOperator<Object, Object, Object>>
        implements OneInputStreamOperator<Object, Object> {
    private static final long serialVersionUID = 1L;

    public KeyedProcess(
            StageSettings settings,
            OperatorSupplier<? extends KeyedOperator<Object, Object, Object>> supplier,
            Map<String, OutputTag<Object>> sides) {
        super(settings, supplier, sides);
    }

    @Override
    public void processElement(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, settings.timedIn());
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
}
