// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.wire.SchemaLookup.Identified;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Encodes Avro messages. A record that does not fit the schema is bad. The schema is found when a task opens: if that
 * fails, the job does. Immutable: each method returns another encoder. Made by {@link WireAvro}.
 *
 * @param <T> records
 */
public final class AvroEncoder<T> implements Encoder<T> {
    private static final long serialVersionUID = 1L;

    private final Schemas schemas;
    private final AvroForm<T> form;
    private final WrittenSchema written;

    AvroEncoder(Schemas schemas, AvroForm<T> form, WrittenSchema written) {
        this.schemas = schemas;
        this.form = form;
        this.written = written;
    }

    private AvroEncoder<T> with(WrittenSchema other) {
        return new AvroEncoder<>(schemas, form, other);
    }

    /** Writes with the schema of this id. */
    public AvroEncoder<T> id(int id) {
        return with(written.withId(id));
    }

    /**
     * Writes with the schema of the class, or that of {@link #schema}, under the id that it has for this subject of the
     * registry. If it is not registered there, the job fails.
     *
     * @param name usually {@code TOPIC-value} or {@code TOPIC-key}
     */
    public AvroEncoder<T> subject(String name) {
        return with(written.withSubject(name));
    }

    /** Writes with the schema that is the latest of the subject when a task opens. */
    public AvroEncoder<T> latest() {
        return with(written.found(WrittenSchema.How.LATEST));
    }

    /** Registers the schema for the subject when a task opens, unless it is. */
    public AvroEncoder<T> register() {
        return with(written.found(WrittenSchema.How.REGISTERED));
    }

    /**
     * Writes with the schema of this file instead of that of the class.
     *
     * @param file {@code .avsc}
     * @throws ConnectorException if the file cannot be read, or is not a schema
     */
    public AvroEncoder<T> schema(String file) {
        return with(written.withSchema(Schemas.read(Path.of(file), List.of())));
    }

    @Override
    public Encoding<T> open() {
        Schema own = form.schema();
        Identified found = Opening.find(
                schemas,
                written,
                SchemaKind.AVRO,
                own == null ? null : new SchemaText(SchemaKind.AVRO, own.toString(), "the schema of the class"));
        byte[] header = schemas.open().headers() ? header(found.id()) : new byte[0];
        AvroPut put = Opening.fitting(
                found.schema(), () -> form.writing(found.schema().avro()));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        return value -> {
            bytes.reset();
            bytes.write(header, 0, header.length);
            try {
                put.put(value, encoder);
            } catch (Misfit e) {
                throw new BadRecordException(e.describe(), String.valueOf(value));
            }
            return bytes.toByteArray();
        };
    }

    static byte[] header(int id) {
        return ByteBuffer.allocate(Framed.HEADER_BYTES).put((byte) 0).putInt(id).array();
    }
}
