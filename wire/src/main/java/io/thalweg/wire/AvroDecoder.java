// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Decodes Avro messages. Those that are damaged, or whose schema is not known or does not fit, are bad records; if a schema
 * registry cannot be asked, the job fails. Immutable: each method returns another decoder. Made by {@link WireAvro}.
 *
 * @param <T> records
 */
public final class AvroDecoder<T> implements Decoder<T> {
    private static final long serialVersionUID = 1L;

    private final Schemas schemas;
    private final AvroForm<T> form;
    private final @Nullable SchemaText wanted;

    AvroDecoder(Schemas schemas, AvroForm<T> form, @Nullable SchemaText wanted) {
        this.schemas = schemas;
        this.form = form;
        this.wanted = wanted;
    }

    /**
     * Reads all messages as if they had the schema of this file, by Avro's rules: fields that a message lacks get their
     * defaults. Without this, components that a message's schema lacks are null, if they may be.
     *
     * @param file {@code .avsc}
     * @throws ConnectorException if the file cannot be read, is not a schema, or lacks a component of the record class
     * @throws IllegalArgumentException for a generated class, which has its schema
     */
    public AvroDecoder<T> readAs(String file) {
        if (form instanceof AvroForm.Generated<?>) {
            throw new IllegalArgumentException("messages are read as the schema of the generated class");
        }
        SchemaText schema = Schemas.read(Path.of(file), List.of());
        try {
            Schema parsed = schema.avro();
            form.reading(parsed, parsed);
        } catch (RuntimeException e) {
            throw new ConnectorException(file + ": " + OneLine.of(e), e);
        }
        return new AvroDecoder<>(schemas, form, schema);
    }

    @Override
    public Type<T> type() {
        return form.type();
    }

    @Override
    public Decoding<T> open() {
        Schema reading = wanted == null ? null : wanted.avro();
        return new Framed<>(schemas.open(), SchemaKind.AVRO, schema -> form.reading(schema.avro(), reading));
    }
}
