// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.wire.SchemaLookup.Identified;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes Protobuf messages. A record that does not fit the schema is bad. The schema is found when a task opens: if that
 * fails, the job does. Immutable: each method returns another encoder. Made by {@link WireProtobuf}.
 *
 * @param <T> records
 */
public final class ProtobufEncoder<T> implements Encoder<T> {
    private static final long serialVersionUID = 1L;

    private final Schemas schemas;
    private final ProtoForm<T> form;
    private final WrittenSchema written;
    private final @Nullable String message;

    ProtobufEncoder(Schemas schemas, ProtoForm<T> form, WrittenSchema written, @Nullable String message) {
        this.schemas = schemas;
        this.form = form;
        this.written = written;
        this.message = message;
    }

    private ProtobufEncoder<T> with(WrittenSchema other) {
        return new ProtobufEncoder<>(schemas, form, other, message);
    }

    /** Sets which message of the schema is written; by default that of a generated class, or the first of the file. */
    public ProtobufEncoder<T> message(String name) {
        return new ProtobufEncoder<>(schemas, form, written, name);
    }

    /** Writes with the schema of this id. */
    public ProtobufEncoder<T> id(int id) {
        return with(written.withId(id));
    }

    /**
     * Writes with the schema of {@link #schema}, under the id that it has for this subject of the registry. If it is not
     * registered there, the job fails.
     *
     * @param name usually {@code TOPIC-value} or {@code TOPIC-key}
     */
    public ProtobufEncoder<T> subject(String name) {
        return with(written.withSubject(name));
    }

    /** Writes with the schema that is the latest of the subject when a task opens. */
    public ProtobufEncoder<T> latest() {
        return with(written.found(WrittenSchema.How.LATEST));
    }

    /** Registers the schema for the subject when a task opens, unless it is. */
    public ProtobufEncoder<T> register() {
        return with(written.found(WrittenSchema.How.REGISTERED));
    }

    /**
     * Sets the schema to look for, or to register.
     *
     * @param file {@code .proto}
     * @throws ConnectorException if the file cannot be read, or is not a schema
     */
    public ProtobufEncoder<T> schema(String file) {
        return with(written.withSchema(Schemas.read(Path.of(file), List.of())));
    }

    @Override
    public Encoding<T> open() {
        Identified found = Opening.find(schemas, written, SchemaKind.PROTOBUF, null);
        Descriptor descriptor = Opening.fitting(found.schema(), () -> descriptor(found.schema()));
        byte[] header = schemas.open().headers() ? header(found.id(), ProtoSchema.indexes(descriptor)) : new byte[0];
        ProtoPut put = Opening.fitting(found.schema(), () -> form.writing(descriptor));
        return value -> {
            byte[] payload;
            try {
                payload = put.bytes(value);
            } catch (Misfit e) {
                throw new BadRecordException(e.describe(), String.valueOf(value));
            }
            byte[] bytes = Arrays.copyOf(header, header.length + payload.length);
            System.arraycopy(payload, 0, bytes, header.length, payload.length);
            return bytes;
        };
    }

    private Descriptor descriptor(SchemaText schema) {
        ProtoSchema messages = schema.protobuf();
        String name = message == null ? form.message() : message;
        Descriptor found = name == null ? messages.at(List.of(0)) : messages.named(name);
        if (found == null) {
            throw new Misfit(name == null ? "it has no message" : "it has no message " + name);
        }
        return found;
    }

    /** The place of the first message is a single zero. */
    static byte[] header(int id, List<Integer> indexes) {
        byte[] head = AvroEncoder.header(id);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(head, 0, head.length);
        if (indexes.equals(List.of(0))) {
            bytes.write(0);
            return bytes.toByteArray();
        }
        varint(bytes, indexes.size());
        indexes.forEach(each -> varint(bytes, each));
        return bytes.toByteArray();
    }

    /** Zigzag, of numbers that are not negative. */
    private static void varint(ByteArrayOutputStream bytes, int value) {
        int rest = value << 1;
        while ((rest & ~0x7f) != 0) {
            bytes.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write(rest);
    }
}
