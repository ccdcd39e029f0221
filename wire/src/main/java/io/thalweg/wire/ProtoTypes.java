// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.thalweg.files.record.MalformedException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Whether fields of messages have values that can be read as those of another schema, which finds them by their numbers. Protobuf's
 * library looks at the bytes alone: it would read other numbers, cut large ones, or keep the last of several.
 */
final class ProtoTypes {
    private final Set<List<String>> begun = new HashSet<>(); // a message may contain itself

    private ProtoTypes() {}

    /**
     * Compares the fields that have the same number.
     *
     * @param written the schema of messages
     * @param read the one that they are read as
     * @throws MalformedException if a field cannot be read; the message names it
     */
    static void check(Descriptor written, Descriptor read) {
        new ProtoTypes().compare(written, read, "");
    }

    private void compare(Descriptor written, Descriptor read, String prefix) {
        if (!begun.add(List.of(written.getFullName(), read.getFullName()))) {
            return;
        }
        for (FieldDescriptor field : read.getFields()) {
            FieldDescriptor there = written.findFieldByNumber(field.getNumber());
            if (there == null) {
                continue;
            }
            if ((there.isRepeated() && !field.isRepeated()) || !isReadable(there.getType(), field.getType())) {
                throw new MalformedException(
                        "'" + prefix + field.getName() + "': it is " + text(there)
                                + ", and would be read as if it were " + text(field),
                        0);
            }
            if (there.getType() == FieldDescriptor.Type.MESSAGE && field.getType() == FieldDescriptor.Type.MESSAGE) {
                compare(there.getMessageType(), field.getMessageType(), prefix + field.getName() + ".");
            }
        }
    }

    /** A type whose bytes differ in kind is readable here: the message says so itself. */
    private static boolean isReadable(FieldDescriptor.Type written, FieldDescriptor.Type read) {
        return switch (written) {
            case SINT32 ->
                read == FieldDescriptor.Type.SINT32 || read == FieldDescriptor.Type.SINT64 || !isVarint(read);
            case SINT64 -> read == FieldDescriptor.Type.SINT64 || !isVarint(read);
            case INT64, UINT64 ->
                read == FieldDescriptor.Type.INT64 || read == FieldDescriptor.Type.UINT64 || !isVarint(read);
            case INT32, UINT32, ENUM ->
                read != FieldDescriptor.Type.SINT32
                        && read != FieldDescriptor.Type.SINT64
                        && read != FieldDescriptor.Type.BOOL;
            case BOOL -> read != FieldDescriptor.Type.SINT32 && read != FieldDescriptor.Type.SINT64;
            case FLOAT -> read != FieldDescriptor.Type.FIXED32 && read != FieldDescriptor.Type.SFIXED32;
            case FIXED32, SFIXED32 -> read != FieldDescriptor.Type.FLOAT;
            case DOUBLE -> read != FieldDescriptor.Type.FIXED64 && read != FieldDescriptor.Type.SFIXED64;
            case FIXED64, SFIXED64 -> read != FieldDescriptor.Type.DOUBLE;
            default -> true;
        };
    }

    private static boolean isVarint(FieldDescriptor.Type type) {
        return switch (type) {
            case INT32, UINT32, SINT32, INT64, UINT64, SINT64, BOOL, ENUM -> true;
            default -> false;
        };
    }

    private static String text(FieldDescriptor field) {
        return (field.isRepeated() ? "repeated " : "") + field.getType().name().toLowerCase(Locale.ROOT);
    }
}
