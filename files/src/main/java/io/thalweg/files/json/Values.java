// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.json;

import io.thalweg.files.record.EpochForm;
import io.thalweg.files.record.TextForm;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Readers of values made of others. They are records because the JIT trusts the fields of records not to change. */
final class Values {
    private Values() {}

    record ListOf(ValueReader element) implements ValueReader {
        @Override
        public @Nullable List<@Nullable Object> read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            List<@Nullable Object> values = new ArrayList<>();
            in.openArray();
            for (boolean more = in.firstElement(); more; more = in.nextElement()) {
                values.add(element.read(in));
            }
            return values;
        }
    }

    record SetOf(ValueReader element) implements ValueReader {
        @Override
        public @Nullable Set<@Nullable Object> read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            Set<@Nullable Object> values = new LinkedHashSet<>();
            in.openArray();
            for (boolean more = in.firstElement(); more; more = in.nextElement()) {
                values.add(element.read(in));
            }
            return values;
        }
    }

    record MapOf(ValueReader value) implements ValueReader {
        @Override
        public @Nullable Map<String, @Nullable Object> read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            in.openObject();
            for (boolean more = in.firstName(); more; more = in.nextName()) {
                if (in.skipWhitespace() != '"') {
                    throw in.expected("a field's name in quotes");
                }
                String name = JsonText.read(in);
                in.colon();
                values.put(name, value.read(in));
            }
            return values;
        }
    }

    record ArrayOf(Class<?> component, ValueReader element) implements ValueReader {
        @Override
        public @Nullable Object read(JsonInput in) {
            List<@Nullable Object> values = new ListOf(element).read(in);
            if (values == null) {
                return null;
            }
            Object array = Array.newInstance(component, values.size());
            for (int i = 0; i < values.size(); i++) {
                Array.set(array, i, values.get(i));
            }
            return array;
        }
    }

    record Longs() implements ValueReader {
        @Override
        public long @Nullable [] read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            long[] values = new long[8];
            int size = 0;
            in.openArray();
            for (boolean more = in.firstElement(); more; more = in.nextElement()) {
                if (size == values.length) {
                    values = Arrays.copyOf(values, size * 2);
                }
                values[size++] = JsonNumber.readLong(in);
            }
            return Arrays.copyOf(values, size);
        }
    }

    record Doubles() implements ValueReader {
        @Override
        public double @Nullable [] read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            double[] values = new double[8];
            int size = 0;
            in.openArray();
            for (boolean more = in.firstElement(); more; more = in.nextElement()) {
                if (size == values.length) {
                    values = Arrays.copyOf(values, size * 2);
                }
                values[size++] = JsonNumber.readDouble(in);
            }
            return Arrays.copyOf(values, size);
        }
    }

    /** A string in a form of its own. */
    record Formed(TextForm form) implements ValueReader {
        @Override
        public @Nullable Object read(JsonInput in) {
            in.skipWhitespace();
            int begin = in.position;
            String text = JsonText.readOrNull(in);
            if (text == null) {
                return null;
            }
            Object value = form.parse(text);
            if (value == null) {
                throw in.wrong(begin, form.expected(text));
            }
            return value;
        }
    }

    /** A number that is an instant. */
    record Epochs(EpochForm form) implements ValueReader {
        @Override
        public @Nullable Object read(JsonInput in) {
            if (in.nextIsNull()) {
                return null;
            }
            in.skipWhitespace();
            int begin = in.position;
            Object value = form.instant(JsonNumber.readDecimal(in));
            if (value == null) {
                throw in.wrong(begin, form.form() + " is expected, found one that does not fit an Instant");
            }
            return value;
        }
    }

    record OptionalOf(ValueReader element) implements ValueReader {
        @Override
        public Optional<?> read(JsonInput in) {
            return in.nextIsNull() ? Optional.empty() : Optional.ofNullable(element.read(in));
        }
    }
}
