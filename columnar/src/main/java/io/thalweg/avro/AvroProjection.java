// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.columnar.Conversion;
import io.thalweg.columnar.Declared;
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
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** Matches a record class with the schema of a file: which fields are read, and how records are made of them. */
final class AvroProjection {
    private final RecordProblems record;

    private AvroProjection(RecordProblems record) {
        this.record = record;
    }

    /** Converts what the library read to a component's value; null if it cannot, after reporting it to {@link RecordProblems}. */
    @FunctionalInterface
    interface Making {
        @Nullable Object make(Object read);
    }

    /**
     * A field as it is read.
     *
     * @param schema of the declared fields only; the library skips the others
     */
    record Field(Schema schema, Making making) {}

    /** @throws SchemaMismatch if a field is missing, or holds something else */
    static Field of(Schema file, Struct struct, RecordProblems record) {
        if (file.getType() != Schema.Type.RECORD) {
            throw SchemaMismatch.whole(AvroValue.text(file), struct);
        }
        return new AvroProjection(record).struct(file, struct, "");
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
        List<Making> makings = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            Schema.Field there = schema.getField(name);
            if (there == null) {
                throw SchemaMismatch.missing(
                        prefix + name,
                        schema.getFields().stream().map(Schema.Field::name).toList());
            }
            Field field = field(there.schema(), struct.parts().get(i).type(), prefix + name);
            fields.add(new Schema.Field(name, field.schema));
            makings.add(field.making);
        }
        Schema projected = Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, fields);
        return new Field(projected, read -> record(struct, makings, (IndexedRecord) read, prefix));
    }

    private @Nullable Object record(Struct struct, List<Making> makings, IndexedRecord read, String prefix) {
        @Nullable Object[] values = new @Nullable Object[makings.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = read.get(i);
            values[i] = value == null ? null : makings.get(i).make(value);
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
            map.put(entry.getKey().toString(), held(table.values(), value, entry.getValue(), path));
        }
        return map;
    }
}
