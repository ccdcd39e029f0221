// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.files.record.MalformedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of the Parquet library: they get values column by column and assemble records. None throws; see {@link
 * RecordProblems}.
 */
final class Converters {
    private Converters() {}

    /** Takes a value; not called for a null. */
    @FunctionalInterface
    interface Slot {
        void take(Object value);
    }

    /** Makes the converter of a field, given where its values go. */
    @FunctionalInterface
    interface Making {
        Converter make(Slot slot);
    }

    /** A record. */
    static final class OfStruct extends GroupConverter {
        private final Struct struct;
        private final RecordProblems record;
        private final String prefix;
        private final Slot slot;
        private final List<Converter> fields = new ArrayList<>();
        private final @Nullable Object[] values;
        /** The components whose field is repeated itself, without a list group around it. */
        private final boolean[] repeated;

        OfStruct(Struct struct, RecordProblems record, String prefix, Slot slot) {
            this.struct = struct;
            this.record = record;
            this.prefix = prefix;
            this.slot = slot;
            values = new @Nullable Object[struct.parts().size()];
            repeated = new boolean[values.length];
        }

        /** The next field, in the order of the columns. */
        void add(int component, Making making) {
            fields.add(making.make(value -> values[component] = value));
        }

        /** The next field, whose values are the elements of a list. */
        void addRepeated(int component, Many many, Making making, String path) {
            repeated[component] = true;
            fields.add(making.make(value -> {
                if (record.takesElement(path)) {
                    elements(component).add(many.element().held(value));
                }
            }));
        }

        @SuppressWarnings("unchecked") // start puts a list there
        private List<Object> elements(int component) {
            return (List<Object>) Objects.requireNonNull(values[component]);
        }

        @Override
        public Converter getConverter(int field) {
            return fields.get(field);
        }

        @Override
        public void start() {
            Arrays.fill(values, null);
            for (int i = 0; i < repeated.length; i++) {
                if (repeated[i]) {
                    values[i] = new ArrayList<>();
                }
            }
        }

        @Override
        public void end() {
            for (int i = 0; i < repeated.length; i++) {
                if (repeated[i] && struct.parts().get(i).type() instanceof Many many) {
                    values[i] = many.of(new ArrayList<>(elements(i)));
                }
            }
            Object made = record.make(struct, values, prefix);
            if (made != null) {
                slot.take(made);
            }
        }
    }

    /** A list whose repeated field is its element. */
    static final class OfList extends GroupConverter {
        private final Many many;
        private final RecordProblems record;
        private final Slot slot;
        private final Converter element;
        private List<@Nullable Object> elements = new ArrayList<>();

        private OfList(Many many, RecordProblems record, String path, Slot slot, boolean wrapped, Making making) {
            this.many = many;
            this.record = record;
            this.slot = slot;
            Part part = many.element();
            Slot each = value -> {
                if (record.takesElement(path)) {
                    elements.add(part.held(value));
                }
            };
            element = wrapped
                    ? new OfWrapped(part, record, path, value -> elements.add(value), making)
                    : making.make(each);
        }

        static OfList ofElements(Many many, RecordProblems record, String path, Slot slot, Making making) {
            return new OfList(many, record, path, slot, false, making);
        }

        /** A list whose repeated field is a group around the element, so that an element can be null. */
        static OfList ofWrapped(Many many, RecordProblems record, String path, Slot slot, Making making) {
            return new OfList(many, record, path, slot, true, making);
        }

        @Override
        public Converter getConverter(int field) {
            return element;
        }

        @Override
        public void start() {
            elements = new ArrayList<>();
        }

        @Override
        public void end() {
            if (record.wrong() == null) { // a null fits no array of primitives
                slot.take(many.of(elements));
            }
        }
    }

    /** The group around an element. */
    private static final class OfWrapped extends GroupConverter {
        private final Part part;
        private final RecordProblems record;
        private final String path;
        private final NullableSlot slot;
        private final Converter inner;
        private @Nullable Object value;

        OfWrapped(Part part, RecordProblems record, String path, NullableSlot slot, Making making) {
            this.part = part;
            this.record = record;
            this.path = path;
            this.slot = slot;
            inner = making.make(each -> value = each);
        }

        @Override
        public Converter getConverter(int field) {
            return inner;
        }

        @Override
        public void start() {
            value = null;
        }

        @Override
        public void end() {
            if (record.takesElement(path)) {
                slot.take(record.hold(part, value, path));
            }
        }
    }

    @FunctionalInterface
    private interface NullableSlot {
        void take(@Nullable Object value);
    }

    /** A map. */
    static final class OfMap extends GroupConverter {
        private final Slot slot;
        private final Entry entry;
        private Map<String, @Nullable Object> map = new LinkedHashMap<>();

        OfMap(Table table, RecordProblems record, String path, Slot slot, Making keys, Making values) {
            this.slot = slot;
            entry = new Entry(table.values(), record, path, keys, values);
        }

        @Override
        public Converter getConverter(int field) {
            return entry;
        }

        @Override
        public void start() {
            map = new LinkedHashMap<>();
        }

        @Override
        public void end() {
            slot.take(map);
        }

        private final class Entry extends GroupConverter {
            private final Part part;
            private final RecordProblems record;
            private final String path;
            private final Converter keys;
            private final Converter values;
            private @Nullable Object key;
            private @Nullable Object value;

            Entry(Part part, RecordProblems record, String path, Making keys, Making values) {
                this.part = part;
                this.record = record;
                this.path = path;
                this.keys = keys.make(each -> key = each);
                this.values = values.make(each -> value = each);
            }

            @Override
            public Converter getConverter(int field) {
                return field == 0 ? keys : values;
            }

            @Override
            public void start() {
                key = null;
                value = null;
            }

            @Override
            public void end() {
                if (key == null) {
                    record.refuse(path, "a key of the map is null");
                } else if (record.takesElement(path)) {
                    map.put((String) key, record.hold(part, value, path));
                }
            }
        }
    }

    /** One value. */
    static final class OfValue extends PrimitiveConverter {
        private final PrimitiveTypeName stored;
        private final Conversion conversion;
        private final boolean shareable;
        private final RecordProblems record;
        private final String path;
        private final Slot slot;
        private @Nullable Dictionary dictionary;
        private @Nullable Object[] known = new @Nullable Object[0];

        /** @param shareable if several records may have the same object */
        OfValue(
                PrimitiveTypeName stored,
                Conversion conversion,
                boolean shareable,
                RecordProblems record,
                String path,
                Slot slot) {
            this.stored = stored;
            this.conversion = conversion;
            this.shareable = shareable;
            this.record = record;
            this.path = path;
            this.slot = slot;
        }

        @Override
        public boolean hasDictionarySupport() {
            return shareable;
        }

        @Override
        public void setDictionary(Dictionary dictionary) {
            this.dictionary = dictionary;
            known = new @Nullable Object[dictionary.getMaxId() + 1];
        }

        @Override
        public void addValueFromDictionary(int id) {
            Object value = known[id];
            if (value == null) {
                value = convert(stored(Objects.requireNonNull(dictionary), id));
                known[id] = value;
            }
            if (value != null) {
                slot.take(value);
            }
        }

        private Object stored(Dictionary dictionary, int id) {
            return switch (stored) {
                case BINARY, FIXED_LEN_BYTE_ARRAY, INT96 ->
                    dictionary.decodeToBinary(id).getBytes();
                case INT64 -> dictionary.decodeToLong(id);
                case INT32 -> (long) dictionary.decodeToInt(id);
                case DOUBLE -> dictionary.decodeToDouble(id);
                case FLOAT -> dictionary.decodeToFloat(id);
                case BOOLEAN -> dictionary.decodeToBoolean(id);
            };
        }

        private @Nullable Object convert(Object stored) {
            try {
                return conversion.convert(stored);
            } catch (MalformedException e) {
                record.refuse(path, String.valueOf(e.getMessage()));
                return null;
            }
        }

        private void add(Object stored) {
            Object value = convert(stored);
            if (value != null) {
                slot.take(value);
            }
        }

        @Override
        public void addBinary(Binary value) {
            add(value.getBytes());
        }

        @Override
        public void addBoolean(boolean value) {
            add(value);
        }

        @Override
        public void addDouble(double value) {
            add(value);
        }

        @Override
        public void addFloat(float value) {
            add(value);
        }

        @Override
        public void addInt(int value) {
            add((long) value);
        }

        @Override
        public void addLong(long value) {
            add(value);
        }
    }
}
