// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.topology;

import io.thalweg.api.codec.Signatures;
import io.thalweg.api.codec.Type;
import io.thalweg.api.graph.GraphBuilder;
import io.thalweg.api.graph.KeySpec;
import io.thalweg.api.operator.NullableFunction;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Checks that keys that are to meet can be equal. */
final class JoinKeys {
    private static final String TABLE = "table-join";
    private static final String CONNECT = "keyed-connect";

    /** @param of {@code the table} */
    private record Key(Type<?> type, Serializable function, String of) {
        String words() {
            return type + " (" + Signatures.describe(function) + ")";
        }
    }

    private JoinKeys() {}

    /** Keys of a table and of the records that are joined with it. */
    static void check(GraphBuilder builder, NullableFunction<?, ?> ofTable, NullableFunction<?, ?> ofRecords) {
        Key table = key(builder, TABLE, ofTable, "the table");
        Key records = key(builder, TABLE, ofRecords, "the records");
        checkEqual(builder, TABLE, table, records, "row -> (long) row.id()");
        builder.checkKey(TABLE, table.type());
    }

    /**
     * Keys of two streams that are joined.
     *
     * @param operator the kind of join
     * @return the type of both
     */
    static Type<?> check(
            GraphBuilder builder, String operator, NullableFunction<?, ?> ofLeft, NullableFunction<?, ?> ofRight) {
        Key left = key(builder, operator, ofLeft, "the left stream");
        Key right = key(builder, operator, ofRight, "the right stream");
        checkEqual(builder, operator, left, right, "record -> (long) record.id()");
        builder.checkKey(operator, left.type());
        return left.type();
    }

    /** Keys of two streams that share their state; whether they can be used at all is checked with their edges. */
    static void check(GraphBuilder builder, KeySpec first, KeySpec second) {
        checkEqual(
                builder,
                CONNECT,
                new Key(first.type(), first.function(), "the first stream"),
                new Key(second.type(), second.function(), "the second stream"),
                "record -> (long) record.id()");
    }

    private static void checkEqual(GraphBuilder builder, String operator, Key one, Key other, String example) {
        if (!one.type().equals(other.type())) {
            throw builder.problem(
                    operator,
                    "the key of " + one.of() + " is a " + one.words() + " and the key of " + other.of() + " a "
                            + other.words() + ": they would never be equal; convert one of them, as in " + example);
        }
    }

    private static Key key(GraphBuilder builder, String operator, NullableFunction<?, ?> key, String of) {
        @Nullable Type<?> type = Signatures.resultOf(key, NullableFunction.class);
        if (type == null) {
            throw builder.problem(
                    operator,
                    "the type of the key of " + of + " cannot be read from " + Signatures.describe(key)
                            + "; use a reference to a method that returns it");
        }
        return new Key(type, key, of);
    }
}
