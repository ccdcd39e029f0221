// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of a type's values mean, as saved with state: classes with their fields by name, enums with their
 * constants. Two types with equal schemas read each other's bytes; {@link #reader} reads those of an older schema
 * (schema evolution).
 */
public sealed interface Schema {
    /**
     * A type whose codec has no parts: a number, a text, a type with a user's codec.
     *
     * @param name of the type
     */
    record Plain(String name) implements Schema {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * A record or a plain class.
     *
     * @param name of the class
     * @param fields in the order in which they are written
     */
    record Fields(String name, List<Field> fields) implements Schema {
        @Override
        public String toString() {
            return name + fields.stream().map(Field::toString).collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /**
     * A field of a record or class, or a case of a sealed type.
     *
     * @param name of the field
     * @param type its schema
     */
    record Field(String name, Schema type) {
        @Override
        public String toString() {
            return name + " " + type;
        }
    }

    /**
     * An enum; a value is written as the name of a constant.
     *
     * @param name of the enum
     * @param constants in their order
     */
    record Constants(String name, List<String> constants) implements Schema {
        @Override
        public String toString() {
            return name + constants.stream().collect(Collectors.joining("|", "(", ")"));
        }
    }

    /**
     * A sealed type; a value begins with the number of its class.
     *
     * @param name of the type
     * @param cases its classes, in their order
     */
    record Cases(String name, List<Field> cases) implements Schema {
        @Override
        public String toString() {
            return name
                    + cases.stream().map(each -> each.type().toString()).collect(Collectors.joining(" | ", "[", "]"));
        }
    }

    /**
     * A list, map, array and the like: values of other types, one after the other.
     *
     * @param name of the container
     * @param of schemas of its contents
     */
    record Container(String name, List<Schema> of) implements Schema {
        @Override
        public String toString() {
            return name + of.stream().map(Schema::toString).collect(Collectors.joining(", ", "<", ">"));
        }
    }

    /**
     * A recursive reference: a type within itself.
     *
     * @param name of the type
     * @param level how many levels further out it is
     */
    record Again(String name, int level) implements Schema {
        @Override
        public String toString() {
            return name;
        }
    }

    /**
     * The schema of a type.
     *
     * @throws CodecException if the type has no codec
     */
    static Schema of(Type<?> type) {
        return Schemas.of(type, true);
    }

    /**
     * The schema of what a codec writes; null if that is not known: of a codec of a user's own, and of one of lists, maps and the
     * like.
     */
    static @Nullable Schema of(Codec<?> codec) {
        Type<?> type = Codecs.typeOf(codec);
        return type == null ? null : of(type);
    }

    /**
     * The schema of a key type: what decides a key's hash. The constants of an enum are left out, since each is hashed
     * by its name.
     */
    static Schema ofKey(Type<?> type) {
        return Schemas.of(type, false);
    }

    /**
     * A codec that reads what was written with this schema as values of a type that may have changed since.
     *
     * @throws CodecException if it cannot; the message says what has changed
     */
    @SuppressWarnings("unchecked") // the reader makes values of the type
    default <T> Codec<T> reader(Type<T> type) {
        return equals(of(type)) ? type.codec() : (Codec<T>) new SchemaReader().reader(this, type, "");
    }

    /**
     * A codec that reads what was written with this schema as values of another codec, whose type may have changed since. It is
     * that codec if {@link #of(Codec)} does not know its type.
     *
     * @throws CodecException if it cannot; the message says what has changed
     */
    @SuppressWarnings("unchecked") // the codec is that of its type
    default <T> Codec<T> reader(Codec<T> codec) {
        Type<T> type = (Type<T>) Codecs.typeOf(codec);
        return type == null ? codec : reader(type);
    }

    /** Serializes the schema. */
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

    /**
     * Deserializes a schema.
     *
     * @throws CodecException if the bytes are not a schema
     */
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
