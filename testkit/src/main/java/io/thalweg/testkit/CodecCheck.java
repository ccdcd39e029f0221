// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.CodecException;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import java.util.Arrays;

/** Serializes and deserializes each record with its codec, and fails if the result is not equal. */
record CodecCheck(Type<Object> type, String from) implements MapFunction<Object, Object> {
    @Override
    public Object apply(Object value) {
        Codec<Object> codec = type.codec();
        byte[] bytes = encode(codec, value);
        Object copy = decode(codec, bytes);
        if (!value.equals(copy) && (comparesByValue(codec, bytes) || !Arrays.equals(encode(codec, copy), bytes))) {
            throw new CodecException("the codec of " + type + " does not keep what '" + from + "' emits: " + value
                    + " came back as " + copy);
        }
        return copy;
    }

    /** False if the value contains arrays, or objects of classes without an equals method. */
    private static boolean comparesByValue(Codec<Object> codec, byte[] bytes) {
        return decode(codec, bytes).equals(decode(codec, bytes));
    }

    private static byte[] encode(Codec<Object> codec, Object value) {
        ByteWriter out = new ByteWriter(64);
        codec.encode(value, out);
        return out.toByteArray();
    }

    private static Object decode(Codec<Object> codec, byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        Object value = codec.decode(in);
        if (in.remaining() > 0) {
            throw new CodecException(in.remaining() + " bytes are left behind " + value);
        }
        return value;
    }
}
