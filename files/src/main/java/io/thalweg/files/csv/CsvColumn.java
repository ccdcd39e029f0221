// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.api.operator.NullableFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One or more columns of a file that is written: their names, and where their values come from.
 *
 * @param <T> records
 */
public sealed interface CsvColumn<T> extends Serializable {
    /** The names of the columns, in their order; not empty. */
    List<String> names();

    /** Adds a value for each name, in the same order; a null becomes an empty field. */
    void values(T row, List<@Nullable Object> to) throws Exception;

    /**
     * A column whose values a function computes.
     *
     * @param name of the column
     * @param function may return null for an empty field; what it throws makes the job fail, or the record bad
     */
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
