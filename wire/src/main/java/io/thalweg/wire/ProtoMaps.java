// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns what Protobuf's library reads into classes of the JDK. */
final class ProtoMaps {
    private ProtoMaps() {}

    /** By the names of the fields in the schema; absent ones are left out. */
    static Map<String, Object> fields(Message message) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            ProtoValue.checkRead(message, field);
            if (!field.hasPresence() || message.hasField(field)) {
                fields.put(field.getName(), value(field, message.getField(field)));
            }
        }
        return fields;
    }

    private static Object value(FieldDescriptor field, Object read) {
        if (field.isMapField()) {
            FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
            FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
            Map<String, Object> map = new LinkedHashMap<>();
            for (Object each : (List<?>) read) {
                Message entry = (Message) each;
                ProtoValue.checkRead(entry);
                map.put(String.valueOf(single(key, entry.getField(key))), single(value, entry.getField(value)));
            }
            return map;
        }
        if (!field.isRepeated()) {
            return single(field, read);
        }
        List<Object> list = new ArrayList<>();
        ((List<?>) read).forEach(each -> list.add(single(field, each)));
        return list;
    }

    private static Object single(FieldDescriptor field, Object read) {
        ProtoValue value = ProtoValue.of(field);
        if (value == null) {
            return fields((Message) read);
        }
        return switch (field.getType()) {
            case INT32, SINT32, SFIXED32 -> read; // an Integer stays one
            case MESSAGE ->
                field.getMessageType().getFullName().equals("google.protobuf.Duration")
                        ? ProtoValue.duration((Message) read)
                        : value.meaning().convert(read);
            default -> value.meaning().convert(read);
        };
    }
}
