// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.NullableFunction;
import org.jspecify.annotations.Nullable;

/** Checks that the keys of a table and of a stream can be equal. */
final class JoinKeys {
    private static final String OPERATOR = "table-join";

    private JoinKeys() {}

    static void check(GraphBuilder builder, NullableFunction<?, ?> ofTable, NullableFunction<?, ?> ofRecords) {
        Type<?> table = type(builder, ofTable, "the table");
        Type<?> records = type(builder, ofRecords, "the records");
        if (!table.equals(records)) {
            throw builder.problem(
                    OPERATOR,
                    "the key of the table is a " + table + " (" + Signatures.describe(ofTable)
                            + ") and the key of the records a " + records + " (" + Signatures.describe(ofRecords)
                            + "): they would never be equal; convert one of them, as in row -> (long) row.id()");
        }
        builder.checkKey(OPERATOR, table);
    }

    private static Type<?> type(GraphBuilder builder, NullableFunction<?, ?> key, String of) {
        @Nullable Type<?> type = Signatures.resultOf(key, NullableFunction.class);
        if (type == null) {
            throw builder.problem(
                    OPERATOR,
                    "the type of the key of " + of + " cannot be read from " + Signatures.describe(key)
                            + "; use a reference to a method that returns it");
        }
        return type;
    }
}
