// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.checkpoint;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Schema;
import io.thalweg.api.codec.Type;
import org.jspecify.annotations.Nullable;

/**
 * The format of a state, which is compared on restore.
 *
 * @param text purpose and layout, such as {@code tumbling 60000 ms: Count}; must be equal on restore
 * @param key schema of its keys; null for operator state
 * @param value schema of its values; null if none has a user's type
 */
public record StateFormat(
        String text, @Nullable Schema key, @Nullable Schema value) {
    public static StateFormat of(String text) {
        return new StateFormat(text, null, null);
    }

    public static StateFormat ofKeys(String text, Type<?> key) {
        return new StateFormat(text, Schema.ofKey(key), null);
    }

    public static StateFormat of(String text, Type<?> key, Type<?> value) {
        return new StateFormat(text, Schema.ofKey(key), Schema.of(value));
    }

    /** The format of operator state with values of a user's type. */
    public static StateFormat ofWhole(String text, Type<?> value) {
        return new StateFormat(text, null, Schema.of(value));
    }

    void writeTo(ByteWriter out) {
        out.writeText(text);
        write(key, out);
        write(value, out);
    }

    private static void write(@Nullable Schema schema, ByteWriter out) {
        out.writeBoolean(schema != null);
        if (schema != null) {
            schema.writeTo(out);
        }
    }

    static StateFormat read(ByteReader in) {
        return new StateFormat(in.readText(), readSchema(in), readSchema(in));
    }

    private static @Nullable Schema readSchema(ByteReader in) {
        return in.readBoolean() ? Schema.read(in) : null;
    }

    /**
     * Why a saved state cannot be restored in this format; null if it can, as far as the formats show without the type
     * of its values.
     */
    @Nullable String differs(StateFormat saved) {
        if (!saved.text.equals(text)) {
            return "it holds '" + saved.text + "' there, and '" + text + "' in this job";
        }
        if (!java.util.Objects.equals(saved.key, key)) {
            return "its keys were " + saved.key + ", and are " + key + " in this job; keys must stay what they are,"
                    + " because where they are kept depends on it";
        }
        return (saved.value == null) == (value == null) ? null : "it holds " + saved.value + " there, and " + value;
    }

    /**
     * Returns a codec that reads values of the saved format as a type of this job. Throws {@link CodecException} if
     * there is none.
     */
    <T> Codec<T> reader(Type<T> type) {
        return value == null ? type.codec() : value.reader(type);
    }

    /** {@code tumbling 60000 ms: Count; Long → LongCell(present Boolean, value Long)}. */
    @Override
    public String toString() {
        String types = key == null || value == null ? "" : " → ";
        return key == null && value == null
                ? text
                : text + "; " + (key == null ? "" : key) + types + (value == null ? "" : value);
    }
}
