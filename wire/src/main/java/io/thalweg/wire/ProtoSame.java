// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether a message has all fields of a generated class, as they are there. It may have more. */
final class ProtoSame {
    private final Set<List<String>> begun = new HashSet<>(); // a message may contain itself

    private ProtoSame() {}

    /** @throws Misfit if it has not */
    static void check(Descriptor own, Descriptor given) {
        new ProtoSame().same(own, given);
    }

    private void same(Descriptor own, Descriptor given) {
        if (!begun.add(List.of(own.getFullName(), given.getFullName()))) {
            return;
        }
        for (FieldDescriptor field : own.getFields()) {
            FieldDescriptor other = given.findFieldByName(field.getName());
            try {
                equal(text(field), text(other));
                if (other != null && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    same(field.getMessageType(), other.getMessageType());
                }
                if (other != null && field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
                    same(field.getEnumType(), other.getEnumType());
                }
            } catch (Misfit e) {
                throw e.in(field.getName());
            }
        }
        for (FieldDescriptor field : given.getFields()) {
            if (field.isRequired() && own.findFieldByName(field.getName()) == null) {
                throw Misfit.another(text(field), text(null)).in(field.getName());
            }
        }
    }

    private static void same(EnumDescriptor own, EnumDescriptor given) {
        for (EnumValueDescriptor value : own.getValues()) {
            EnumValueDescriptor other = given.findValueByName(value.getName());
            equal(constant(value), other == null ? "no " + value.getName() : constant(other));
        }
    }

    private static void equal(String own, String given) {
        if (!own.equals(given)) {
            throw Misfit.another(given, own);
        }
    }

    private static String constant(EnumValueDescriptor value) {
        return value.getName() + " = " + value.getNumber();
    }

    private static String text(@Nullable FieldDescriptor field) {
        if (field == null) {
            return "no such field";
        }
        String label = field.isRepeated() ? "repeated " : field.isRequired() ? "required " : "";
        return label + field.getType().name().toLowerCase(Locale.ROOT) + " " + field.getName() + " = "
                + field.getNumber();
    }
}
