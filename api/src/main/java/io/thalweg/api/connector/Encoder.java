// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.BadRecordException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Makes the bytes of one message of a record, for sinks that hand over whole messages, such as those of a broker; the other way round
 * from {@link Decoder}. Serializable, so that it can be sent to a cluster.
 *
 * @param <T> records
 */
public interface Encoder<T> extends Serializable {
    /** What encodes for one task, on its thread. */
    Encoding<T> open();

    /** Encodes one record after the other, called by one thread at a time. */
    @FunctionalInterface
    interface Encoding<T> {
        /**
         * The bytes, which the caller keeps.
         *
         * @throws BadRecordException if the record cannot be encoded
         */
        byte[] encode(T value) throws Exception;
    }

    /** Text in UTF-8; one with half a surrogate pair is a bad record. */
    static Encoder<String> text() {
        return new Text();
    }

    /** The bytes as they are. */
    static Encoder<byte[]> bytes() {
        return new Bytes();
    }

    /** See {@link #text}. */
    record Text() implements Encoder<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Encoding<String> open() {
            return Text::utf8;
        }

        private static byte[] utf8(String text) {
            for (int i = 0; i < text.length(); i++) {
                if (Character.isSurrogate(text.charAt(i))) {
                    return withSurrogates(text);
                }
            }
            return text.getBytes(StandardCharsets.UTF_8);
        }

        private static byte[] withSurrogates(String text) {
            try {
                ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
                byte[] bytes = new byte[encoded.remaining()];
                encoded.get(bytes);
                return bytes;
            } catch (CharacterCodingException e) {
                throw new BadRecordException(
                        "the text contains half a surrogate pair, which UTF-8 cannot encode", text);
            }
        }
    }

    /** See {@link #bytes}. */
    record Bytes() implements Encoder<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public Encoding<byte[]> open() {
            return byte[]::clone;
        }
    }
}
