// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Makes a record of the bytes of one message, for sources that are handed whole messages, such as those of a broker. Serializable,
 * so that it can be sent to a cluster.
 *
 * @param <T> records
 */
public interface Decoder<T> extends Serializable {
    Type<T> type();

    /** What decodes for one task, on its thread. */
    Decoding<T> open();

    /** Decodes one message after the other, called by one thread at a time. */
    @FunctionalInterface
    interface Decoding<T> {
        /**
         * The record that the bytes from {@code from} to before {@code to} say. The array belongs to the caller, and its other
         * bytes mean nothing here.
         *
         * @throws BadRecordException if they say none
         */
        T decode(byte[] bytes, int from, int to) throws Exception;
    }

    /** Text in UTF-8; anything else is a bad record. */
    static Decoder<String> text() {
        return new Text();
    }

    /** The bytes as they are. */
    static Decoder<byte[]> bytes() {
        return new Bytes();
    }

    /** See {@link #text}. */
    record Text() implements Decoder<String> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<String> type() {
            return Type.of(String.class);
        }

        @Override
        public Decoding<String> open() {
            return (bytes, from, to) -> Framing.text(bytes, from, to, "the text");
        }
    }

    /** See {@link #bytes}. */
    record Bytes() implements Decoder<byte[]> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<byte[]> type() {
            return Type.of(byte[].class);
        }

        @Override
        public Decoding<byte[]> open() {
            return Arrays::copyOfRange;
        }
    }
}
