// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the bytes of a type's values mean, as it is saved with state: classes with their fields by name, enums with their
 * constants. Two types of the same schema read each other's bytes; {@link #reader} reads those of an older one.
 */
public sealed interface Schema {
    /** Written by one codec that knows no parts: a number, a text, a type with a codec of the user's own. */
    record Plain(String name) implements Schema {
        @Override
        public String toString() {
            return name;
        }
    }

    /** A record or a plain class: its fields in the order in which they are written. */
    record Fields(String name, List<Field> fields) implements Schema {
        @Override
        public String toString() {
            return name + fields.stream().map(Field::toString).collect(Collectors.joining(", ", "(", ")"));
        }
    }

    record Field(String name, Schema type) {
        @Override
        public String toString() {
            return name + " " + type;
        }
    }

    /** An enum; a value is the name of a constant. */
    record Constants(String name, List<String> constants) implements Schema {
        @Override
        public String toString() {
            return name + constants.stream().collect(Collectors.joining("|", "(", ")"));
        }
    }

    /** A sealed type; a value begins with the number of its class. */
    record Cases(String name, List<Field> cases) implements Schema {
        @Override
        public String toString() {
            return name
                    + cases.stream().map(each -> each.type().toString()).collect(Collectors.joining(" | ", "[", "]"));
        }
    }

    /** A list, a map, an array …: values of other types, one after the other. */
    record Container(String name, List<Schema> of) implements Schema {
        @Override
        public String toString() {
            return name + of.stream().map(Schema::toString).collect(Collectors.joining(", ", "<", ">"));
        }
    }

    /** A type within itself. */
    record Again(String name, int level) implements Schema {
        @Override
        public String toString() {
            return name;
        }
    }

    /** @throws CodecException if the type has no codec */
    static Schema of(Type<?> type) {
        return Schemas.of(type, true);
    }

    /** Of a type of keys: what decides a key's hash. The constants of an enum do not: each is hashed by its name. */
    static Schema ofKey(Type<?> type) {
        return Schemas.of(type, false);
    }

    /**
     * Reads what was written by this schema as values of a type that may have changed since.
     *
     * @throws CodecException if it cannot, with what has changed
     */
    @SuppressWarnings("unchecked") // the reader makes values of the type
    default <T> Codec<T> reader(Type<T> type) {
        return equals(of(type)) ? type.codec() : (Codec<T>) new SchemaReader().reader(this, type, "");
    }

    default void writeTo(ByteWriter out) {
        if (this instanceof Plain plain) {
            out.writeByte('P');
            out.writeText(plain.name);
        } else if (this instanceof Fields fields) {
            out.writeByte('F');
            out.writeText(fields.name);
            write(fields.fields, out);
        } else if (this instanceof Constants constants) {
            out.writeByte('E');
            out.writeText(constants.name);
            out.writeVarLong(constants.constants.size());
            constants.constants.forEach(out::writeText);
        } else if (this instanceof Cases cases) {
            out.writeByte('S');
            out.writeText(cases.name);
            write(cases.cases, out);
        } else if (this instanceof Container container) {
            out.writeByte('C');
            out.writeText(container.name);
            out.writeVarLong(container.of.size());
            container.of.forEach(each -> each.writeTo(out));
        } else if (this instanceof Again again) {
            out.writeByte('A');
            out.writeText(again.name);
            out.writeVarLong(again.level);
        }
    }

    private static void write(List<Field> fields, ByteWriter out) {
        out.writeVarLong(fields.size());
        for (Field field : fields) {
            out.writeText(field.name);
            field.type.writeTo(out);
        }
    }

    /** @throws CodecException if the bytes are no schema */
    static Schema read(ByteReader in) {
        return read(in, 0);
    }

    private static Schema read(ByteReader in, int depth) {
        if (depth > Schemas.MOST_DEPTH) {
            throw new CodecException("a schema of more than " + Schemas.MOST_DEPTH + " levels");
        }
        int kind = in.readByte();
        String name = in.readText();
        return switch (kind) {
            case 'P' -> new Plain(name);
            case 'A' -> new Again(name, (int) in.readVarLong());
            case 'E' -> new Constants(name, list(in, in::readText));
            case 'C' -> new Container(name, list(in, () -> read(in, depth + 1)));
            case 'F' -> new Fields(name, fields(in, depth));
            case 'S' -> new Cases(name, fields(in, depth));
            default -> throw new CodecException("a schema of an unknown kind: " + kind);
        };
    }

    private static List<Field> fields(ByteReader in, int depth) {
        return list(in, () -> new Field(in.readText(), read(in, depth + 1)));
    }

    private static <E> List<E> list(ByteReader in, Supplier<E> element) {
        List<E> list = new ArrayList<>();
        for (int left = in.readLength(); left > 0; left--) {
            list.add(element.get());
        }
        return List.copyOf(list);
    }
}
