// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.operator.NullableFunction;
import io.thalweg.files.record.RecordShape;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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

        private final String name;
        private final transient Method accessor;
        private final Class<R> record;
        private final int index;

        private Component(RecordShape<R> shape, int index) {
            this.name = shape.names().get(index);
            this.accessor = shape.components().get(index).getAccessor();
            this.record = shape.type();
            this.index = index;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public @Nullable Object value(R row) throws Exception {
            try {
                return accessor.invoke(row);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        private Object writeReplace() {
            return new Serialized(record, index);
        }

        private record Serialized(Class<?> record, int index) implements Serializable {
            private Object readResolve() {
                return new Component<>(RecordShape.of(record), index);
            }
        }
    }
}
