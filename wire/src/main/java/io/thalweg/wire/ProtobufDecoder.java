// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.Descriptors.Descriptor;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Decoder;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes Protobuf messages. Those that are damaged, or whose schema is not known or does not fit, are bad records; if a
 * schema registry cannot be asked, the job fails. A message that ends between two fields looks whole: the format does not say
 * how long it is. Immutable: each method returns another decoder. Made by {@link WireProtobuf}.
 *
 * @param <T> records
 */
public final class ProtobufDecoder<T> implements Decoder<T> {
    private static final long serialVersionUID = 1L;

    private final Schemas schemas;
    private final ProtoForm<T> form;
    private final @Nullable String message;
    private final @Nullable Wanted wanted;

    /** What messages are read as. */
    private record Wanted(SchemaText schema, String message) implements Serializable {
        Descriptor descriptor() {
            Descriptor found = schema.protobuf().named(message);
            if (found == null) {
                throw new ConnectorException(schema.place() + " has no message " + message);
            }
            return found;
        }
    }

    ProtobufDecoder(Schemas schemas, ProtoForm<T> form, @Nullable String message, @Nullable Wanted wanted) {
        this.schemas = schemas;
        this.form = form;
        this.message = message;
        this.wanted = wanted;
    }

    /**
     * Sets which message of the schema is read; others are bad records. By default it is any that fits, that of a generated class,
     * or without headers the first of the file.
     *
     * @param name with or without the package: {@code shop.Order}
     */
    public ProtobufDecoder<T> message(String name) {
        return new ProtobufDecoder<>(schemas, form, name, wanted);
    }

    /**
     * Reads all messages as this message of a file, by the numbers of the fields: those that a message lacks have their
     * defaults. Without this, components that a message's schema lacks are null, if they may be.
     *
     * @param file {@code .proto}
     * @param name of the message in it
     * @throws ConnectorException if the file cannot be read, is not a schema, has no such message, or lacks a component
     *     of the record class
     */
    public ProtobufDecoder<T> readAs(String file, String name) {
        Wanted other = new Wanted(Schemas.read(Path.of(file), List.of()), name);
        Descriptor descriptor = other.descriptor();
        try {
            form.reading(descriptor, descriptor);
        } catch (RuntimeException e) {
            throw new ConnectorException(file + ": " + OneLine.of(e), e);
        }
        return new ProtobufDecoder<>(schemas, form, message, other);
    }

    @Override
    public Type<T> type() {
        return form.type();
    }

    @Override
    public Decoding<T> open() {
        SchemaLookup lookup = schemas.open();
        Descriptor reading = wanted == null ? null : wanted.descriptor();
        return new Framed<>(
                lookup,
                SchemaKind.PROTOBUF,
                schema -> new ProtoPayload<>(form, schema.protobuf(), lookup.headers(), name(), reading));
    }

    private @Nullable String name() {
        return message == null ? form.message() : message;
    }
}
