// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Operator;
import io.thalweg.api.operator.OperatorSupplier;
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
            Shape shape,
            OperatorSupplier<? extends Operator<Object, Object>> supplier,
            Map<String, OutputTag<Object>> sides,
            @Nullable Type<Object> copied) {
        super(shape, supplier, sides);
        this.copied = copied;
    }

    @Override
    public void open() throws Exception {
        copies = copied == null ? null : copied.codec();
        super.open();
    }

    @Override
    public void processElement(StreamRecord<Object> element) throws Exception {
        Object value = taken(element, shape.timedIn());
        if (value == null) {
            return;
        }
        try {
            operator().process(copies == null ? value : copies.copy(value), emitter());
        } catch (Throwable thrown) {
            onThrown(thrown);
        }
    }
}
