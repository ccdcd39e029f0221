// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import java.io.Serializable;
import java.util.List;
import org.apache.avro.Schema;

/**
 * A schema as it was written, with what it refers to.
 *
 * @param place for messages: {@code schema 7 of http://localhost:8081}
 * @param imports in an order in which each refers to earlier ones only
 */
@SuppressWarnings("serial") // the list is one of the JDK's
record SchemaText(SchemaKind kind, String text, String place, List<Import> imports) implements Serializable {
    /**
     * A schema that others refer to.
     *
     * @param name for Protobuf: as an {@code import} has it
     */
    record Import(String name, String text) implements Serializable {}

    SchemaText(SchemaKind kind, String text, String place) {
        this(kind, text, place, List.of());
    }

    /** @throws InvalidSchemaException if it is none */
    Schema avro() {
        try {
            // A default that is not of its field's type matters only where it is needed.
            Schema.Parser parser = new Schema.Parser().setValidateDefaults(false);
            for (Import each : imports) {
                parser.parse(each.text);
            }
            return parser.parse(text);
        } catch (RuntimeException e) {
            throw new InvalidSchemaException(place + " is no Avro schema: " + OneLine.of(e));
        }
    }

    /** @throws InvalidSchemaException if it is none */
    ProtoSchema protobuf() {
        return ProtoSchema.of(this);
    }

    void check() {
        if (kind == SchemaKind.AVRO) {
            avro();
        } else {
            protobuf();
        }
    }
}
