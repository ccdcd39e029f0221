// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.operator.NullableFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What stands in one or more columns of a file that is written: their names and where their values come from. */
public sealed interface CsvColumn<T> extends Serializable {
    List<String> names();

    /** Adds a value for each name. */
    void values(T row, List<@Nullable Object> to) throws Exception;

    /** What a function of the user's says. */
    record Computed<T>(String name, NullableFunction<? super T, ?> function) implements CsvColumn<T> {
        @Override
        public List<String> names() {
            return List.of(name);
        }

        @Override
        public void values(T row, List<@Nullable Object> to) throws Exception {
            to.add(function.apply(row));
        }
    }

    /** The components of a record, of those within it too. */
    final class Components<R> implements CsvColumn<R> {
        private static final long serialVersionUID = 1L;

        private final transient CsvRecord record;

        /** @throws IllegalArgumentException if the class is no record, or has a component that CSV cannot hold */
        public Components(Class<R> type) {
            this(CsvRecord.of(type));
        }

        private Components(CsvRecord record) {
            this.record = record;
        }

        CsvRecord record() {
            return record;
        }

        @Override
        public List<String> names() {
            return record.columns();
        }

        @Override
        public void values(R row, List<@Nullable Object> to) throws Exception {
            record.values(row, to);
        }

        private Object writeReplace() {
            return new Serialized(record.shape().type());
        }

        private record Serialized(Class<?> type) implements Serializable {
            private Object readResolve() {
                return new Components<>(CsvRecord.of(type));
            }
        }
    }
}
