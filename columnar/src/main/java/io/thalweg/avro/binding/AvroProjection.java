// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro.binding;

import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declared;
import io.thalweg.columnar.Declared.Absent;
import io.thalweg.columnar.Declared.Many;
import io.thalweg.columnar.Declared.Part;
import io.thalweg.columnar.Declared.Scalar;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Declared.Table;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.files.record.MalformedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Matches a record class with the schema of a file or of messages: which fields are read, and how records are made of them. */
public final class AvroProjection {
    private final RecordProblems record;
    private final boolean lenient;

    private AvroProjection(RecordProblems record, boolean lenient) {
        this.record = record;
        this.lenient = lenient;
    }

    /** Converts what the library read to a component's value; null if it cannot, after reporting it to {@link RecordProblems}. */
    @FunctionalInterface
    public interface Making {
        /** Converts one value. */
        @Nullable Object make(Object read);
    }

    /**
     * A field as it is read.
     *
     * @param schema of the declared fields only; the library skips the others
     * @param making what becomes of what was read
     */
    public record Field(Schema schema, Making making) {}

    /** A component of a record, and where its value is in what was read; -1 if there is none. */
    private record Component(int field, Making making) {}

    /**
     * Matches all components.
     *
     * @throws SchemaMismatch if a field is missing, or holds something else
     */
    public static Field of(Schema file, Struct struct, RecordProblems record) {
        return of(file, struct, record, false);
    }

    /**
     * Matches the components that have a field. A component without one is null in each record, and so must be declared as
     * nullable or Optional.
     *
     * @throws SchemaMismatch if another field is missing, or holds something else
     */
    public static Field lenient(Schema schema, Struct struct, RecordProblems record) {
        return of(schema, struct, record, true);
    }

    private static Field of(Schema file, Struct struct, RecordProblems record, boolean lenient) {
        if (file.getType() != Schema.Type.RECORD) {
            throw SchemaMismatch.whole(AvroValue.text(file), struct);
        }
        return new AvroProjection(record, lenient).struct(file, struct, "");
    }

    private Field field(Schema schema, Declared declared, String path) {
        if (schema.isUnion()) {
            return union(schema, declared, path);
        }
        if (declared instanceof Scalar scalar) {
            AvroValue value = AvroValue.of(schema);
            Conversion conversion = value == null ? null : Conversion.of(value.type(), scalar);
            if (value != null && conversion != null) {
                return new Field(schema, read -> convert(value.meaning(), conversion, read, path));
            }
        } else if (declared instanceof Struct struct && schema.getType() == Schema.Type.RECORD) {
            return struct(schema, struct, path + ".");
        } else if (declared instanceof Many many && schema.getType() == Schema.Type.ARRAY) {
            Field element = field(schema.getElementType(), many.element().type(), path);
            return new Field(Schema.createArray(element.schema), read -> list(many, element, read, path));
        } else if (declared instanceof Table table && schema.getType() == Schema.Type.MAP) {
            Field value = field(schema.getValueType(), table.values().type(), path);
            return new Field(Schema.createMap(value.schema), read -> map(table, value, read, path));
        }
        throw SchemaMismatch.found(path, AvroValue.text(schema), declared);
    }

    /** Something or null. */
    private Field union(Schema union, Declared declared, String path) {
        List<Schema> types = new ArrayList<>();
        int value = -1;
        for (Schema type : union.getTypes()) {
            if (type.getType() != Schema.Type.NULL) {
                if (value >= 0) {
                    throw SchemaMismatch.found(path, AvroValue.text(union), declared);
                }
                value = types.size();
            }
            types.add(type);
        }
        if (value < 0) {
            throw SchemaMismatch.found(path, "always null", declared);
        }
        Field field = field(types.get(value), declared, path);
        types.set(value, field.schema);
        return new Field(Schema.createUnion(types), field.making);
    }

    private Field struct(Schema schema, Struct struct, String prefix) {
        List<Schema.Field> fields = new ArrayList<>();
        List<Component> components = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            Schema.Field there = schema.getField(name);
            if (there == null && lenient && struct.parts().get(i).absent() != Absent.REFUSED) {
                components.add(new Component(-1, read -> null));
                continue;
            }
            if (there == null) {
                throw SchemaMismatch.missing(
                        prefix + name,
                        schema.getFields().stream().map(Schema.Field::name).toList());
            }
            Field field = field(there.schema(), struct.parts().get(i).type(), prefix + name);
            components.add(new Component(fields.size(), field.making));
            fields.add(projected(there, field.schema));
        }
        Schema projected = Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
        schema.getAliases().forEach(projected::addAlias);
        return new Field(projected, read -> record(struct, components, (IndexedRecord) read, prefix));
    }

    /** With its default and aliases; a default that is not of its type, which not all libraries refuse, is left out. */
    private static Schema.Field projected(Schema.Field there, Schema schema) {
        try {
            return new Schema.Field(there, schema);
        } catch (AvroRuntimeException e) {
            return new Schema.Field(there.name(), schema);
        }
    }

    private @Nullable Object record(Struct struct, List<Component> components, IndexedRecord read, String prefix) {
        @Nullable Object[] values = new @Nullable Object[components.size()];
        for (int i = 0; i < values.length; i++) {
            Component component = components.get(i);
            Object value = component.field < 0 ? null : read.get(component.field);
            values[i] = value == null ? null : component.making.make(value);
        }
        return record.make(struct, values, prefix);
    }

    private @Nullable Object convert(Conversion meaning, Conversion conversion, Object read, String path) {
        try {
            return conversion.convert(meaning.convert(read));
        } catch (MalformedException e) {
            record.refuse(path, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private @Nullable Object held(Part part, Field field, @Nullable Object read, String path) {
        return record.hold(part, read == null ? null : field.making.make(read), path);
    }

    private @Nullable Object list(Many many, Field element, Object read, String path) {
        List<@Nullable Object> elements = new ArrayList<>();
        for (Object each : (Collection<?>) read) {
            elements.add(held(many.element(), element, each, path));
        }
        return record.wrong() == null ? many.of(elements) : null; // a null fits no array of primitives
    }

    private Object map(Table table, Field value, Object read, String path) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) read).entrySet()) {
            try {
                map.put(AvroValue.key(entry.getKey()), held(table.values(), value, entry.getValue(), path));
            } catch (MalformedException e) {
                record.refuse(path, "a key of the map: " + e.getMessage());
            }
        }
        return map;
    }
}
