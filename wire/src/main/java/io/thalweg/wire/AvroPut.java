// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import java.io.IOException;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalType;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.Encoder;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Writes values of one schema. */
@FunctionalInterface
interface AvroPut {
    /** @throws Misfit if the value does not fit the schema */
    void put(@Nullable Object value, Encoder out) throws Exception;

    /**
     * What writes values of a schema.
     *
     * @param declared what the values are; null if they are maps, and what maps may hold
     * @throws Misfit if what is declared does not fit the schema
     */
    static AvroPut of(Schema schema, @Nullable Declared declared) {
        return switch (schema.getType()) {
            case UNION -> union(schema, declared);
            case RECORD -> declared == null ? fields(schema) : struct(schema, declared);
            case ARRAY -> array(schema, declared);
            case MAP -> map(schema, declared);
            case NULL ->
                (value, out) -> {
                    if (value != null) {
                        throw new Misfit("it is not null, as the schema says");
                    }
                    out.writeNull();
                };
            default -> scalar(schema, declared);
        };
    }

    /** Objects of a class that Avro has generated. */
    static AvroPut generated(Schema schema, SpecificData data) {
        Exact writer = new Exact(schema, data);
        return (value, out) -> {
            try {
                writer.write(value, out);
            } catch (IOException | Misfit e) {
                throw e;
            } catch (RuntimeException e) {
                throw new Misfit(OneLine.of(e));
            }
        };
    }

    /** Refuses what Avro would write as another value: half a surrogate pair, and a time that is finer than its unit. */
    final class Exact extends SpecificDatumWriter<Object> {
        private Exact(Schema schema, SpecificData data) {
            super(schema, data);
        }

        @Override
        protected void writeField(Object record, Schema.Field field, Encoder out, Object state) throws IOException {
            try {
                super.writeField(record, field, out, state);
            } catch (Misfit e) {
                throw e.in(field.name());
            }
        }

        @Override
        protected void writeString(Object text, Encoder out) throws IOException {
            if (!(text instanceof Utf8)) { // which holds bytes
                AvroFit.text(text.toString());
            }
            super.writeString(text, out);
        }

        @Override
        protected <T> Object convert(Schema schema, LogicalType type, Conversion<T> conversion, Object value) {
            Object written = super.convert(schema, type, conversion, value);
            boolean time = conversion != null && value instanceof Temporal;
            if (time && !value.equals(Conversions.convertToLogicalType(written, schema, type, conversion))) {
                throw new Misfit(value + " is finer than the unit of " + type.getName() + "; truncate it");
            }
            return written;
        }
    }

    private static Object given(@Nullable Object value) {
        if (value == null) {
            throw new Misfit("it is null, and its schema has no null");
        }
        return value;
    }

    private static Misfit unexpected(String what, @Nullable Object value) {
        return new Misfit(what + " is expected, found "
                + (value == null ? "null" : value.getClass().getSimpleName()));
    }

    private static AvroPut union(Schema union, @Nullable Declared declared) {
        List<Schema> types = union.getTypes();
        int none = types.stream().map(Schema::getType).toList().indexOf(Schema.Type.NULL);
        List<AvroPut> puts = new ArrayList<>();
        List<Integer> possible = new ArrayList<>();
        Misfit last = new Misfit("its schema is always null");
        for (int i = 0; i < types.size(); i++) {
            try {
                puts.add(of(types.get(i), i == none ? null : declared));
                if (i != none) {
                    possible.add(i);
                }
            } catch (Misfit e) {
                last = e;
                puts.add((value, out) -> {
                    throw e;
                });
            }
        }
        if (possible.isEmpty()) {
            throw last;
        }
        int ofRecords = declared instanceof Struct struct
                ? AvroFit.only(types, possible, Set.copyOf(struct.shape().names()))
                : -1;
        return (value, out) -> {
            int branch = value == null ? none : ofRecords >= 0 ? ofRecords : AvroFit.branch(types, possible, value);
            if (branch < 0) {
                throw new Misfit(
                        value == null ? "it is null, and its schema has no null" : "it fits no type of its union");
            }
            out.writeIndex(branch);
            puts.get(branch).put(value, out);
        };
    }

    private static AvroPut struct(Schema schema, Declared declared) {
        if (!(declared instanceof Struct struct)) {
            throw AvroFit.mismatch(schema, declared);
        }
        List<AvroPut> puts = new ArrayList<>();
        int found = 0;
        for (Schema.Field field : schema.getFields()) {
            int component = struct.shape().names().indexOf(field.name());
            if (component < 0) {
                puts.add(ofDefault(field));
                continue;
            }
            found++;
            Part part = struct.parts().get(component);
            AvroPut put = Misfit.within(field.name(), () -> of(field.schema(), part.type()));
            puts.add((record, out) -> {
                Object value = part.given(struct.shape().value(given(record), component));
                try {
                    put.put(value, out);
                } catch (Misfit e) {
                    throw e.in(field.name());
                }
            });
        }
        if (found < struct.parts().size()) {
            List<String> missing = new ArrayList<>(struct.shape().names());
            missing.removeIf(name -> schema.getField(name) != null);
            throw new Misfit("the schema of " + schema.getName() + " has no field for " + missing);
        }
        return (value, out) -> {
            for (AvroPut put : puts) {
                put.put(value, out);
            }
        };
    }

    /** What a record says nothing of. */
    private static AvroPut ofDefault(Schema.Field field) {
        if (!field.hasDefaultValue()) {
            throw new Misfit(
                    "the schema's field '" + field.name() + "' has no default, and the record no such component");
        }
        Object value;
        try {
            value = GenericData.get().getDefaultValue(field);
        } catch (AvroRuntimeException e) {
            throw new Misfit("the default of the schema's field '" + field.name() + "' is not of its type");
        }
        GenericDatumWriter<Object> writer = new GenericDatumWriter<>(field.schema());
        return (record, out) -> writer.write(value, out);
    }

    private static AvroPut fields(Schema schema) {
        List<Schema.Field> fields = schema.getFields();
        Lazily[] puts = fields.stream().map(field -> new Lazily(field.schema())).toArray(Lazily[]::new);
        return (value, out) -> {
            if (!(value instanceof Map<?, ?> map)) {
                throw unexpected("a map", value);
            }
            int used = 0;
            for (int i = 0; i < puts.length; i++) {
                Schema.Field field = fields.get(i);
                try {
                    if (map.containsKey(field.name())) {
                        used++;
                        puts[i].put(map.get(field.name()), out);
                    } else {
                        ofDefault(field).put(null, out);
                    }
                } catch (Misfit e) {
                    throw e.in(field.name());
                }
            }
            if (used < map.size()) {
                List<Object> names = new ArrayList<>(map.keySet());
                names.removeIf(name -> schema.getField(String.valueOf(name)) != null);
                throw new Misfit("the schema of " + schema.getName() + " has no field for " + names);
            }
        };
    }

    /** A schema may contain itself. */
    final class Lazily implements AvroPut {
        private final Schema schema;
        private @Nullable AvroPut put;

        Lazily(Schema schema) {
            this.schema = schema;
        }

        @Override
        public void put(@Nullable Object value, Encoder out) throws Exception {
            AvroPut known = put;
            if (known == null) {
                known = of(schema, null);
                put = known;
            }
            known.put(value, out);
        }
    }

    private static AvroPut array(Schema schema, @Nullable Declared declared) {
        if (declared != null && !(declared instanceof Declared.Many)) {
            throw AvroFit.mismatch(schema, declared);
        }
        Declared.Many many = (Declared.Many) declared;
        AvroPut element = many == null
                ? new Lazily(schema.getElementType())
                : of(schema.getElementType(), many.element().type());
        return (value, out) -> {
            Collection<?> elements;
            if (many != null) {
                elements = many.elements(given(value));
            } else if (value instanceof Collection<?> collection) {
                elements = collection;
            } else {
                throw unexpected("a list", value);
            }
            out.writeArrayStart();
            out.setItemCount(elements.size());
            for (Object each : elements) {
                out.startItem();
                element.put(many == null ? each : many.element().given(each), out);
            }
            out.writeArrayEnd();
        };
    }

    private static AvroPut map(Schema schema, @Nullable Declared declared) {
        if (declared != null && !(declared instanceof Declared.Table)) {
            throw AvroFit.mismatch(schema, declared);
        }
        Declared.Table table = (Declared.Table) declared;
        AvroPut values = table == null
                ? new Lazily(schema.getValueType())
                : of(schema.getValueType(), table.values().type());
        return (value, out) -> {
            if (!(value instanceof Map<?, ?> map)) {
                throw unexpected("a map", value);
            }
            out.writeMapStart();
            out.setItemCount(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.startItem();
                if (!(entry.getKey() instanceof String key)) {
                    throw new Misfit("a key of the map is no text");
                }
                out.writeString(AvroFit.text(key));
                values.put(table == null ? entry.getValue() : table.values().given(entry.getValue()), out);
            }
            out.writeMapEnd();
        };
    }

    private static AvroPut scalar(Schema schema, @Nullable Declared declared) {
        if (declared == null) {
            return (value, out) -> AvroFit.write(schema, given(value), out);
        }
        if (!AvroFit.declared(schema, declared)) {
            throw AvroFit.mismatch(schema, declared);
        }
        Scalar scalar = (Scalar) declared;
        return (value, out) -> AvroFit.write(schema, AvroFit.formed(scalar, given(value)), out);
    }
}
