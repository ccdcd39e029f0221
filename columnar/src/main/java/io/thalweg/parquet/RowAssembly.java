// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Writes the values of a row to its columns. They were checked before, so that no row fails half-way. */
final class RowAssembly {
    private final MessageType schema;
    private final RecordConsumer consumer;

    RowAssembly(MessageType schema, RecordConsumer consumer) {
        this.schema = schema;
        this.consumer = consumer;
    }

    void row(@Nullable Object[] values) {
        consumer.startMessage();
        fields(schema, values);
        consumer.endMessage();
    }

    /** Writes the nulls that are buffered. Must be called before the columns are written. */
    void flush() {
        consumer.flush();
    }

    private void fields(GroupType group, @Nullable Object[] values) {
        for (int i = 0; i < values.length; i++) {
            field(group, i, values[i]);
        }
    }

    private void field(GroupType group, int index, @Nullable Object value) {
        if (value != null) {
            Type type = group.getType(index);
            consumer.startField(type.getName(), index);
            value(type, value);
            consumer.endField(type.getName(), index);
        }
    }

    @SuppressWarnings("unchecked") // ColumnValues makes these classes
    private void value(Type type, Object value) {
        if (type.isPrimitive()) {
            primitive(type.asPrimitiveType(), value);
            return;
        }
        GroupType group = type.asGroupType();
        consumer.startGroup();
        if (value instanceof List<?> list) {
            if (!list.isEmpty()) {
                repeated(group, () -> list.forEach(element -> group(group.getType(0), element)));
            }
        } else if (value instanceof Map<?, ?> map) {
            if (!map.isEmpty()) {
                repeated(group, () -> map.forEach((key, each) -> group(group.getType(0), key, each)));
            }
        } else {
            fields(group, (@Nullable Object[]) value);
        }
        consumer.endGroup();
    }

    private void repeated(GroupType group, Runnable elements) {
        String name = group.getType(0).getName();
        consumer.startField(name, 0);
        elements.run();
        consumer.endField(name, 0);
    }

    private void group(Type type, @Nullable Object... values) {
        consumer.startGroup();
        fields(type.asGroupType(), values);
        consumer.endGroup();
    }

    private void primitive(PrimitiveType type, Object value) {
        switch (type.getPrimitiveTypeName()) {
            case INT64 ->
                consumer.addLong(
                        value instanceof BigDecimal decimal
                                ? decimal.unscaledValue().longValueExact()
                                : (Long) value);
            case INT32 -> consumer.addInteger(Math.toIntExact((Long) value));
            case DOUBLE -> consumer.addDouble((Double) value);
            case FLOAT -> consumer.addFloat((Float) value);
            case BOOLEAN -> consumer.addBoolean((Boolean) value);
            case FIXED_LEN_BYTE_ARRAY -> consumer.addBinary(decimal((BigDecimal) value));
            case BINARY, INT96 ->
                consumer.addBinary(
                        value instanceof String text
                                ? Binary.fromString(text)
                                : Binary.fromConstantByteArray(((byte[]) value).clone()));
        }
    }

    /** The digits as a number of 16 bytes, the highest first. */
    private static Binary decimal(BigDecimal value) {
        BigInteger digits = value.unscaledValue();
        byte[] least = digits.toByteArray();
        byte[] bytes = new byte[SchemaWriter.DECIMAL_BYTES];
        Arrays.fill(bytes, (byte) (digits.signum() < 0 ? -1 : 0));
        System.arraycopy(least, 0, bytes, bytes.length - least.length, least.length);
        return Binary.fromConstantByteArray(bytes);
    }
}
