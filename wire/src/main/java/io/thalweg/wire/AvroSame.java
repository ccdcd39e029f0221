// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes.Decimal;
import org.apache.avro.Schema;

/**
 * Whether the objects of a generated class have the same bytes, with the same meaning, by another schema as by their own.
 * Docs, aliases, defaults and namespaces may differ.
 */
final class AvroSame {
    private final Set<List<String>> begun = new HashSet<>(); // a schema may contain itself

    private AvroSame() {}

    /** @throws Misfit if they have not */
    static void check(Schema own, Schema given) {
        new AvroSame().same(own, given);
    }

    private void same(Schema own, Schema given) {
        if (own.getType() != given.getType() || !own.getName().equals(given.getName()) || !sameMeaning(own, given)) {
            throw Misfit.another(text(given), text(own));
        }
        switch (own.getType()) {
            case RECORD -> fields(own, given);
            case ARRAY -> same(own.getElementType(), given.getElementType());
            case MAP -> same(own.getValueType(), given.getValueType());
            case UNION -> types(own, given);
            case ENUM -> equal(own.getEnumSymbols(), given.getEnumSymbols());
            case FIXED -> equal(own.getFixedSize() + " bytes", given.getFixedSize() + " bytes");
            default -> {}
        }
    }

    private void fields(Schema own, Schema given) {
        if (!begun.add(List.of(own.getFullName(), given.getFullName()))) {
            return;
        }
        List<Schema.Field> owns = own.getFields();
        List<Schema.Field> givens = given.getFields();
        for (int i = 0; i < Math.max(owns.size(), givens.size()); i++) {
            equal(place(own, i), place(given, i));
            try {
                same(owns.get(i).schema(), givens.get(i).schema());
            } catch (Misfit e) {
                throw e.in(owns.get(i).name());
            }
        }
    }

    private static String place(Schema record, int i) {
        List<Schema.Field> fields = record.getFields();
        return i < fields.size()
                ? "'" + fields.get(i).name() + "' as field " + (i + 1) + " of " + record.getName()
                : "no field " + (i + 1) + " of " + record.getName();
    }

    /** Of two unions of the same name, which names their types. */
    private void types(Schema own, Schema given) {
        List<Schema> owns = own.getTypes();
        List<Schema> givens = given.getTypes();
        for (int i = 0; i < owns.size(); i++) {
            same(owns.get(i), givens.get(i));
        }
    }

    private static void equal(Object own, Object given) {
        if (!own.equals(given)) {
            throw Misfit.another(given.toString(), own.toString());
        }
    }

    private static boolean sameMeaning(Schema own, Schema given) {
        LogicalType meant = own.getLogicalType();
        LogicalType other = given.getLogicalType();
        if (meant == null || other == null) {
            return meant == other;
        }
        return meant.getName().equals(other.getName()) && (!(meant instanceof Decimal) || meant.equals(other));
    }

    private static String text(Schema schema) {
        return switch (schema.getType()) {
            case RECORD, ENUM, FIXED -> schema.getType().getName() + " " + schema.getName();
            case ARRAY, MAP, UNION -> schema.getName();
            default -> schema.toString(); // with its logical type
        };
    }
}
