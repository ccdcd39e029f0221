// SPDX-License-Identifier: Apache-2.0
package io.thalweg.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.thalweg.columnar.ColumnType;
import io.thalweg.columnar.ColumnType.Kind;
import io.thalweg.columnar.Conversion;
import io.thalweg.files.record.MalformedException;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the values of a field mean.
 *
 * @param meaning converts what the library reads to the class that {@link ColumnType.Kind} names
 */
record ProtoValue(ColumnType type, Conversion meaning) {
    /** Null if a field's elements are not single values. */
    static @Nullable ProtoValue of(FieldDescriptor field) {
        String text = field.getType().name().toLowerCase(Locale.ROOT);
        return switch (field.getType()) {
            case BOOL -> new ProtoValue(new ColumnType(Kind.BOOLEAN, text), read -> read);
            case FLOAT, DOUBLE -> new ProtoValue(new ColumnType(Kind.FLOATING, text), read -> read);
            case UINT32, FIXED32 -> whole(text, read -> Integer.toUnsignedLong((Integer) read));
            case UINT64, FIXED64 -> whole(text, read -> unsigned((Long) read));
            case INT32, SINT32, SFIXED32, INT64, SINT64, SFIXED64 -> whole(text, read -> ((Number) read).longValue());
            case STRING -> new ProtoValue(new ColumnType(Kind.TEXT, text), read -> read);
            case BYTES -> new ProtoValue(new ColumnType(Kind.BYTES, text), read -> ((ByteString) read).toByteArray());
            case ENUM -> new ProtoValue(new ColumnType(Kind.TEXT, text), read -> constant((EnumValueDescriptor) read));
            case MESSAGE -> wellKnown(field.getMessageType());
            default -> null;
        };
    }

    /** For a number that its enum lacks, the library makes up a name. */
    private static String constant(EnumValueDescriptor value) {
        if (value.getIndex() < 0) {
            throw new MalformedException("its enum has no constant with the number " + value.getNumber(), 0);
        }
        return value.getName();
    }

    /**
     * Checks that the library has not passed over what a message has in a field.
     *
     * @throws MalformedException if it has: its type is another one than the schema's, or its enum lacks the constant
     */
    static void checkRead(Message message, FieldDescriptor field) {
        if (message.getUnknownFields().hasField(field.getNumber())) {
            throw new MalformedException(
                    "the message has a value there that is not of the schema's type, or that its enum lacks", 0);
        }
    }

    /**
     * The same of all fields: of a value that is a message itself, or an entry of a map.
     *
     * @throws MalformedException if the library has passed over one
     */
    static void checkRead(Message message) {
        message.getDescriptorForType().getFields().forEach(field -> checkRead(message, field));
    }

    private static ProtoValue whole(String text, Conversion meaning) {
        return new ProtoValue(new ColumnType(Kind.WHOLE, text), meaning);
    }

    private static Object unsigned(long value) {
        return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
    }

    private static @Nullable ProtoValue wellKnown(Descriptor message) {
        return switch (message.getFullName()) {
            case "google.protobuf.Timestamp" ->
                new ProtoValue(new ColumnType(Kind.OLD_INSTANT, "Timestamp"), read -> instant((Message) read));
            case "google.protobuf.Duration" ->
                new ProtoValue(
                        new ColumnType(Kind.TEXT, "Duration"),
                        read -> duration((Message) read).toString());
            default -> {
                if (!isWrapper(message)) {
                    yield null;
                }
                FieldDescriptor inside = message.findFieldByNumber(1);
                ProtoValue value = of(inside);
                yield value == null
                        ? null
                        : new ProtoValue(value.type, read -> {
                            checkRead((Message) read);
                            return value.meaning.convert(((Message) read).getField(inside));
                        });
            }
        };
    }

    /** Whether it is a message around one value, which may be absent. */
    static boolean isWrapper(Descriptor message) {
        return message.getFile().getFullName().equals("google/protobuf/wrappers.proto")
                || message.getFullName()
                        .matches("google\\.protobuf\\.(Double|Float|U?Int(32|64)|Bool|String|Bytes)Value");
    }

    static Instant instant(Message message) {
        checkRead(message);
        try {
            return Instant.ofEpochSecond(seconds(message), nanos(message));
        } catch (DateTimeException | ArithmeticException e) {
            throw new MalformedException("the time is out of range", 0);
        }
    }

    static Duration duration(Message message) {
        checkRead(message);
        try {
            return Duration.ofSeconds(seconds(message), nanos(message));
        } catch (ArithmeticException e) {
            throw new MalformedException("the duration is out of range", 0);
        }
    }

    private static long seconds(Message message) {
        return (Long) message.getField(message.getDescriptorForType().findFieldByNumber(1));
    }

    private static int nanos(Message message) {
        return (Integer) message.getField(message.getDescriptorForType().findFieldByNumber(2));
    }
}
