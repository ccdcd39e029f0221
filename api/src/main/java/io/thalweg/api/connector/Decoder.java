// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.BadRecordException;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Deserializes a record from the bytes of one message, for sources that receive whole messages, such as those of a
 * broker. Serializable, because it is sent to a cluster.
 *
 * @param <T> records
 */
public interface Decoder<T> extends Serializable {
    /** The type of the records. */
    Type<T> type();

    /** A decoder for one task, used by its thread only. It may reuse buffers. */
    Decoding<T> open();

    /**
     * Decodes one message after the other; called by one thread at a time.
     *
     * @param <T> records
     */
    @FunctionalInterface
    interface Decoding<T> {
        /**
         * Decodes the message in {@code bytes} from {@code from} (inclusive) to {@code to} (exclusive). The array
         * belongs to the caller, which may reuse it: it must not be kept or changed.
         *
         * @return never null
         * @throws BadRecordException if the bytes are not a valid record; the record is counted and kept
         */
        T decode(byte[] bytes, int from, int to) throws Exception;
    }

    /** Text in UTF-8; invalid UTF-8 is a bad record. */
    static Decoder<String> text() {
        return new Text();
    }

    /** The bytes unchanged, as a copy. */
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
