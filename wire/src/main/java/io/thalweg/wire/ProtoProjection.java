// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Matches a record class with a message: which fields are taken, and how records are made of them. */
final class ProtoProjection {
    private final RecordProblems record;
    private final boolean lenient;

    private ProtoProjection(RecordProblems record, boolean lenient) {
        this.record = record;
        this.lenient = lenient;
    }

    /** Converts what the library read to a component's value; null if it cannot, after reporting it to {@link RecordProblems}. */
    @FunctionalInterface
    interface Making {
        @Nullable Object make(Object read);
    }

    /** A component, and the field that it is read from; null if there is none. */
    private record Component(@Nullable FieldDescriptor field, Making making) {}

    /**
     * Matches all components.
     *
     * @param lenient a component that may be null needs no field
     * @throws SchemaMismatch if a field is missing, or holds something else
     */
    static Making of(Descriptor message, Struct struct, RecordProblems record, boolean lenient) {
        return new ProtoProjection(record, lenient).struct(message, struct, "");
    }

    /** A field has the component's name, or its JSON name does: {@code order_id} is {@code orderId}. */
    static @Nullable FieldDescriptor field(Descriptor message, String name) {
        FieldDescriptor found = message.findFieldByName(name);
        for (FieldDescriptor each : message.getFields()) {
            if (found == null && each.getJsonName().equals(name)) {
                found = each;
            }
        }
        return found;
    }

    private Making struct(Descriptor message, Struct struct, String prefix) {
        List<Component> components = new ArrayList<>();
        for (int i = 0; i < struct.parts().size(); i++) {
            String name = struct.shape().names().get(i);
            Part part = struct.parts().get(i);
            FieldDescriptor field = field(message, name);
            if (field != null) {
                components.add(new Component(field, whole(field, part.type(), prefix + name)));
            } else if (lenient && part.absent() != Absent.REFUSED) {
                components.add(new Component(null, read -> null));
            } else {
                throw SchemaMismatch.missing(
                        prefix + name,
                        message.getFields().stream()
                                .map(FieldDescriptor::getName)
                                .toList());
            }
        }
        return read -> {
            @Nullable Object[] values = new @Nullable Object[components.size()];
            for (int i = 0; i < values.length; i++) {
                FieldDescriptor field = components.get(i).field;
                if (field == null) {
                    continue;
                }
                try {
                    ProtoValue.checkRead((Message) read, field);
                } catch (MalformedException e) {
                    record.refuse(prefix + struct.shape().names().get(i), String.valueOf(e.getMessage()));
                }
                if (!field.hasPresence() || ((Message) read).hasField(field)) {
                    values[i] = components.get(i).making.make(((Message) read).getField(field));
                }
            }
            return record.make(struct, values, prefix);
        };
    }

    private Making whole(FieldDescriptor field, Declared declared, String path) {
        if (field.isMapField() && declared instanceof Table table) {
            return map(field, table, path);
        }
        if (field.isRepeated() && !field.isMapField() && declared instanceof Many many) {
            Making element = single(field, many.element().type(), path);
            return read -> {
                List<@Nullable Object> elements = new ArrayList<>();
                for (Object each : (List<?>) read) {
                    elements.add(record.hold(many.element(), element.make(each), path));
                }
                return record.wrong() == null ? many.of(elements) : null; // a null fits no array of primitives
            };
        }
        if (field.isRepeated()) {
            throw SchemaMismatch.found(path, field.isMapField() ? "a map" : "repeated", declared);
        }
        return single(field, declared, path);
    }

    private Making map(FieldDescriptor field, Table table, String path) {
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
        if (key.getType() != FieldDescriptor.Type.STRING) {
            throw SchemaMismatch.found(path, "a map with other keys than texts", table);
        }
        Making making = single(value, table.values().type(), path);
        return read -> {
            Map<String, @Nullable Object> map = new LinkedHashMap<>();
            for (Object each : (List<?>) read) {
                Message entry = (Message) each;
                try {
                    ProtoValue.checkRead(entry);
                } catch (MalformedException e) {
                    record.refuse(path, String.valueOf(e.getMessage()));
                }
                map.put(
                        (String) entry.getField(key),
                        record.hold(table.values(), making.make(entry.getField(value)), path));
            }
            return map;
        };
    }

    private Making single(FieldDescriptor field, Declared declared, String path) {
        if (declared instanceof Struct struct && field.getType() == FieldDescriptor.Type.MESSAGE) {
            return struct(field.getMessageType(), struct, path + ".");
        }
        ProtoValue value = ProtoValue.of(field);
        if (declared instanceof Scalar scalar && value != null) {
            Conversion conversion = Conversion.of(value.type(), scalar);
            if (conversion != null) {
                return read -> {
                    try {
                        return conversion.convert(value.meaning().convert(read));
                    } catch (MalformedException e) {
                        record.refuse(path, String.valueOf(e.getMessage()));
                        return null;
                    }
                };
            }
        }
        String found = value == null
                ? "a message " + field.getMessageType().getFullName()
                : value.type().text();
        throw SchemaMismatch.found(path, found, declared);
    }
}
