// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.avro.binding.SchemaMaker;
import io.thalweg.columnar.ColumnValues;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.Writing;
import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Buffers records until they fill a block. */
final class AvroFormat<R> implements RowFormat<R> {
    private static final int BLOCK_BYTES = 64 * 1024;

    private final ColumnValues columnValues;
    private final Schema schema;
    private final BlockCodec codec;
    private final byte[] sync;

    private final ByteArrayOutputStream block = new ByteArrayOutputStream();
    private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(block, null);
    /** How many are in the block. */
    private long records;

    AvroFormat(Struct struct, Writing writing, BlockCodec codec) {
        columnValues = new ColumnValues(struct, writing);
        schema = SchemaMaker.of(struct, writing);
        this.codec = codec;
        sync = sync(schema + codec.inFiles());
    }

    /**
     * Derived from the schema: after a restore a file continues with the same sync marker, and equal records make equal
     * files.
     */
    private static byte[] sync(String of) {
        try {
            return MessageDigest.getInstance("MD5").digest(of.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    @Override
    public boolean lines() {
        return false;
    }

    @Override
    public void header(TextOutput output) {
        block.reset();
        records = 0;
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            BinaryEncoder header = EncoderFactory.get().directBinaryEncoder(bytes, null);
            header.writeFixed(AvroFile.MAGIC);
            header.writeMapStart();
            header.setItemCount(2);
            header.writeString("avro.schema");
            header.writeBytes(schema.toString().getBytes(StandardCharsets.UTF_8));
            header.writeString("avro.codec");
            header.writeBytes(codec.inFiles().getBytes(StandardCharsets.UTF_8));
            header.writeMapEnd();
            header.writeFixed(sync);
            output.bytes(bytes.toByteArray(), 0, bytes.size()).endRows();
        } catch (IOException e) {
            throw new IllegalStateException(e); // writing to an array does not fail
        }
    }

    @Override
    public void row(R row, TextOutput output) throws Exception {
        @Nullable Object[] values = columnValues.apart(row); // a bad record fails here, before anything is written
        record(schema, values);
        records++;
        if (block.size() >= BLOCK_BYTES) {
            flush(output);
        }
    }

    private void record(Schema type, @Nullable Object[] values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            value(type.getFields().get(i).schema(), values[i]);
        }
    }

    @SuppressWarnings("unchecked") // ColumnValues makes these classes
    private void value(Schema type, @Nullable Object value) throws IOException {
        if (type.isUnion()) {
            encoder.writeIndex(value == null ? 0 : 1);
            if (value != null) {
                value(type.getTypes().get(1), value);
            }
            return;
        }
        if (value == null) {
            throw new IllegalStateException("null where the schema has none");
        }
        switch (type.getType()) {
            case RECORD -> record(type, (@Nullable Object[]) value);
            case ARRAY -> array(type.getElementType(), (List<@Nullable Object>) value);
            case MAP -> map(type.getValueType(), (Map<String, @Nullable Object>) value);
            case ENUM -> encoder.writeEnum(type.getEnumOrdinal((String) value));
            case STRING ->
                encoder.writeString(
                        value instanceof Long nanos
                                ? LocalTime.ofNanoOfDay(nanos).toString()
                                : (String) value);
            case BYTES ->
                encoder.writeBytes(
                        value instanceof BigDecimal decimal
                                ? decimal.unscaledValue().toByteArray()
                                : (byte[]) value);
            case INT -> encoder.writeInt(Math.toIntExact((Long) value));
            case LONG -> encoder.writeLong((Long) value);
            case FLOAT -> encoder.writeFloat((Float) value);
            case DOUBLE -> encoder.writeDouble((Double) value);
            case BOOLEAN -> encoder.writeBoolean((Boolean) value);
            default -> throw new IllegalStateException("nothing is written as " + type.getType());
        }
    }

    private void array(Schema element, List<@Nullable Object> values) throws IOException {
        encoder.writeArrayStart();
        encoder.setItemCount(values.size());
        for (Object each : values) {
            encoder.startItem();
            value(element, each);
        }
        encoder.writeArrayEnd();
    }

    private void map(Schema type, Map<String, @Nullable Object> values) throws IOException {
        encoder.writeMapStart();
        encoder.setItemCount(values.size());
        for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
            encoder.startItem();
            encoder.writeString(entry.getKey());
            value(type, entry.getValue());
        }
        encoder.writeMapEnd();
    }

    @Override
    public void flush(TextOutput output) throws IOException {
        if (records == 0) {
            return;
        }
        byte[] packed = codec.pack(block.toByteArray());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder framed = EncoderFactory.get().directBinaryEncoder(bytes, null);
        framed.writeLong(records);
        framed.writeBytes(packed);
        framed.writeFixed(sync);
        output.bytes(bytes.toByteArray(), 0, bytes.size());
        block.reset();
        records = 0;
    }

    @Override
    public void footer(TextOutput output) throws IOException {
        flush(output);
    }
}
