// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * Avro loads no class that a schema names, unless it is told to trust it. Trusted here are the classes that the schema of a generated
 * class names, since the job names that class. What schemas of messages name stays untrusted.
 */
final class TrustedClasses {
    private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();

    static {
        ClassSecurityValidator.setGlobal(ClassSecurityValidator.composite(
                ClassSecurityValidator.getGlobal(), type -> NAMES.contains(type.getName())));
    }

    private TrustedClasses() {}

    static void add(Schema schema) {
        switch (schema.getType()) {
            case RECORD -> {
                if (NAMES.add(name(schema))) {
                    schema.getFields().forEach(field -> add(field.schema()));
                }
            }
            case ENUM, FIXED -> NAMES.add(name(schema));
            case ARRAY -> add(schema.getElementType());
            case MAP -> add(schema.getValueType());
            case UNION -> schema.getTypes().forEach(TrustedClasses::add);
            default -> {}
        }
    }

    /** A class within another has a dollar in its name, and its schema's namespace ends with one. */
    private static String name(Schema schema) {
        return schema.getFullName().replace("$.", "$");
    }
}
