// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.RecordShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a record field by field in a loop: the reference for what {@link RecordReaderGenerator} makes. */
final class PlainRecordReader implements ValueReader {
    private final RecordShape<?> shape;
    private final FieldNames names;
    private final List<ValueReader> values;

    PlainRecordReader(RecordShape<?> shape, FieldNames names, List<ValueReader> values) {
        this.shape = shape;
        this.names = names;
        this.values = values;
    }

    @Override
    public @Nullable Object read(JsonInput in) {
        if (in.nextIsNull()) {
            return null;
        }
        in.openObject();
        @Nullable Object[] arguments = new Object[values.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = shape.part(i).absent();
        }
        for (int i = in.firstField(names); i != JsonInput.END; i = in.nextField(names, i + 1)) {
            arguments[i] = values.get(i).read(in);
        }
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == null && shape.part(i).required()) {
                throw in.missing(shape.part(i));
            }
        }
        return shape.make(arguments, in::refused);
    }
}
