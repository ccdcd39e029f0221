// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

/** The types that columns have. */
enum ArrowType {
    /** Nulls alone. */
    NOTHING(1),
    BOOL(6),
    INT8(2),
    INT16(2),
    INT32(2),
    INT64(2),
    FLOAT(3),
    DOUBLE(3),
    UTF8(5),
    BINARY(4),
    /** Days. */
    DATE(8),
    /** Nanoseconds, UTC. */
    INSTANT(10);

    private static final short SINGLE_PRECISION = 1;
    private static final short DOUBLE_PRECISION = 2;
    private static final short DAYS = 0;
    private static final short NANOSECONDS = 3;

    /** Which table describes it. */
    final byte tag;

    ArrowType(int tag) {
        this.tag = (byte) tag;
    }

    FlatWriter.Table write(FlatWriter out) {
        return switch (this) {
            case NOTHING, BOOL, UTF8, BINARY -> out.table();
            case INT8 -> integer(out, 8);
            case INT16 -> integer(out, 16);
            case INT32 -> integer(out, 32);
            case INT64 -> integer(out, 64);
            case FLOAT -> out.table(2).set(0, SINGLE_PRECISION);
            case DOUBLE -> out.table(2).set(0, DOUBLE_PRECISION);
            case DATE -> out.table(2).set(0, DAYS);
            case INSTANT -> out.table(2, 4).set(0, NANOSECONDS).refer(1, "UTC");
        };
    }

    private static FlatWriter.Table integer(FlatWriter out, int bits) {
        return out.table(4, 1).set(0, bits).set(1, (byte) 1);
    }
}
