// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** An operator with one input. */
abstract class OneInput extends Stage implements OneInputStreamOperator<Object, Object> {
    private static final long serialVersionUID = 1L;

    private final boolean timedIn;

    OneInput(StageSettings settings) {
        super(settings);
        timedIn = settings.timedIn();
    }

    @Override
    public final void processElement(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, timedIn);
        if (value != null) {
            accept(value);
        }
    }

    abstract void accept(Object value) throws Exception;
}
