// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.operator.NullableFunction;
import io.thalweg.files.record.RecordShape;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column of a file that is written: its name and where its values come from. */
public sealed interface CsvColumn<T> extends Serializable {
    String name();

    @Nullable Object value(T row) throws Exception;

    /** A column a component. */
    static <R> List<CsvColumn<R>> ofRecord(Class<R> record) {
        RecordShape<R> shape = RecordShape.of(record);
        List<CsvColumn<R>> columns = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            columns.add(new Component<>(shape, i));
        }
        return columns;
    }

    /** What a function of the user's says. */
    record Computed<T>(String name, NullableFunction<? super T, ?> function) implements CsvColumn<T> {
        @Override
        public @Nullable Object value(T row) throws Exception {
            return function.apply(row);
        }
    }

    /** A component of a record. */
    final class Component<R> implements CsvColumn<R> {
        private static final long serialVersionUID = 1L;

        private final transient RecordShape<R> shape;
        private final int index;

        private Component(RecordShape<R> shape, int index) {
            this.shape = shape;
            this.index = index;
        }

        @Override
        public String name() {
            return shape.names().get(index);
        }

        @Override
        public @Nullable Object value(R row) throws Exception {
            return shape.value(row, index);
        }

        private Object writeReplace() {
            return new Serialized(shape.type(), index);
        }

        private record Serialized(Class<?> record, int index) implements Serializable {
            private Object readResolve() {
                return new Component<>(RecordShape.of(record), index);
            }
        }
    }
}
