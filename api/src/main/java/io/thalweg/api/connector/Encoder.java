// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.operator.BadRecordException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Serializes a record into the bytes of one message, for sinks that send whole messages, such as those to a broker; the
 * counterpart of {@link Decoder}. Serializable, because it is sent to a cluster.
 *
 * @param <T> records
 */
public interface Encoder<T> extends Serializable {
    /** An encoder for one task, used by its thread only. It may reuse buffers internally. */
    Encoding<T> open();

    /**
     * Encodes one record after the other; called by one thread at a time.
     *
     * @param <T> records
     */
    @FunctionalInterface
    interface Encoding<T> {
        /**
         * Encodes a record.
         *
         * @return a new array, which the caller keeps
         * @throws BadRecordException if the record cannot be encoded; the record is counted and kept
         */
        byte[] encode(T value) throws Exception;
    }

    /** Text in UTF-8; an unpaired surrogate is a bad record. */
    static Encoder<String> text() {
        return new Text();
    }

    /** The bytes unchanged, as a copy. */
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
