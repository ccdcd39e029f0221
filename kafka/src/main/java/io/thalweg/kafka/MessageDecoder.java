// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Decoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.MessageHeader;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Decodes messages to records. */
interface MessageDecoder<T> extends Serializable {
    Type<T> type();

    Decoding<T> open();

    /** The decoder of one task, called on its thread. */
    @FunctionalInterface
    interface Decoding<T> {
        T decode(ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message) throws Exception;
    }

    /** Decodes values only. */
    record Values<V>(Decoder<V> decoder) implements MessageDecoder<V> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<V> type() {
            return decoder.type();
        }

        @Override
        public Decoding<V> open() {
            Decoder.Decoding<V> values = decoder.open();
            return message -> {
                ByteBuffer value = message.value();
                if (value == null) {
                    throw bad("the message has no value; read it with withRecord()", message);
                }
                return valueOf(message, values, value);
            };
        }
    }

    /** Decodes values with key, headers and the other metadata. */
    record Records<K, V>(Decoder<K> keyDecoder, Decoder<V> decoder) implements MessageDecoder<KafkaRecord<K, V>> {
        private static final long serialVersionUID = 1L;

        @Override
        public Type<KafkaRecord<K, V>> type() {
            return Type.of(KafkaRecord.class, keyDecoder.type(), decoder.type());
        }

        @Override
        public Decoding<KafkaRecord<K, V>> open() {
            Decoder.Decoding<K> keys = keyDecoder.open();
            Decoder.Decoding<V> values = decoder.open();
            return message -> {
                ByteBuffer key = message.key();
                ByteBuffer value = message.value();
                return new KafkaRecord<>(
                        message.topic(),
                        message.partition(),
                        message.offset(),
                        message.timestamp(),
                        key == null ? null : keyOf(message, keys, key),
                        headers(message),
                        value == null ? null : valueOf(message, values, value));
            };
        }

        private static List<KafkaHeader> headers(ConsumerRecord<?, ?> message) {
            List<KafkaHeader> headers = new ArrayList<>();
            for (Header header : message.headers()) {
                headers.add(new KafkaHeader(header.key(), header.value()));
            }
            return List.copyOf(headers);
        }
    }

    private static <K> K keyOf(
            ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message,
            Decoder.Decoding<K> keys,
            ByteBuffer key)
            throws Exception {
        try {
            return decoded(keys, key);
        } catch (BadRecordException e) {
            throw bad("the key: " + e.getMessage(), message);
        }
    }

    private static <V> V valueOf(
            ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message,
            Decoder.Decoding<V> values,
            ByteBuffer value)
            throws Exception {
        try {
            return decoded(values, value);
        } catch (BadRecordException e) {
            throw bad(String.valueOf(e.getMessage()), e.bytes(), message);
        }
    }

    /** With all of the message's value, its key and its headers. */
    private static BadRecordException bad(
            String reason, ConsumerRecord<@Nullable ByteBuffer, @Nullable ByteBuffer> message) {
        ByteBuffer value = message.value();
        return bad(reason, value == null ? new byte[0] : copy(value), message);
    }

    private static BadRecordException bad(
            String reason, byte[] bytes, ConsumerRecord<@Nullable ByteBuffer, ?> message) {
        ByteBuffer key = message.key();
        List<MessageHeader> headers = new ArrayList<>();
        for (Header header : message.headers()) {
            headers.add(new MessageHeader(header.key(), header.value()));
        }
        return new BadRecordException(reason, bytes, key == null ? null : copy(key), headers);
    }

    /** Decodes in the network buffer, without a copy. */
    private static <V> V decoded(Decoder.Decoding<V> values, ByteBuffer bytes) throws Exception {
        int from = bytes.arrayOffset() + bytes.position();
        V value = values.decode(bytes.array(), from, from + bytes.remaining());
        if (value == null) { // against its contract; a null would be taken for the end of the batch
            throw new BadRecordException("its decoder gives null, which is no record", copy(bytes));
        }
        return value;
    }

    private static byte[] copy(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return copy;
    }
}
