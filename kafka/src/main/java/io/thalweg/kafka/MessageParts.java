// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.Encoder;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.EventTimeFunction;
import io.thalweg.api.operator.FilterFunction;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullableFunction;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The functions that make the parts of a message; all but the value are optional. */
record MessageParts<T>(
        Encoder<T> value,
        @Nullable Key<T, ?> key,
        @Nullable NullableFunction<? super T, Integer> partition,
        @Nullable MapFunction<? super T, List<KafkaHeader>> headers,
        @Nullable EventTimeFunction<? super T> timestamp,
        @Nullable FilterFunction<? super T> tombstones)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What the key of a message is, and how it is encoded. */
    record Key<T, K>(NullableFunction<? super T, K> function, Encoder<K> encoder) implements Serializable {
        private static final long serialVersionUID = 1L;

        Keying<T> open() {
            Encoder.Encoding<K> encoding = encoder.open();
            return value -> {
                K key = function.apply(value);
                byte[] bytes = key == null ? null : encoding.encode(key);
                if (key != null && bytes == null) { // against its contract; a null would be taken for no key
                    throw new BadRecordException("the encoder of its key gives null", String.valueOf(value));
                }
                return bytes;
            };
        }
    }

    /** Makes the bytes of a key; null for no key. */
    @FunctionalInterface
    interface Keying<T> {
        byte @Nullable [] encode(T value) throws Exception;
    }

    static <T> MessageParts<T> of(Encoder<T> value) {
        return new MessageParts<>(value, null, null, null, null, null);
    }

    MessageParts<T> withKey(Key<T, ?> other) {
        return new MessageParts<>(value, other, partition, headers, timestamp, tombstones);
    }

    MessageParts<T> withPartition(NullableFunction<? super T, Integer> other) {
        return new MessageParts<>(value, key, other, headers, timestamp, tombstones);
    }

    MessageParts<T> withHeaders(MapFunction<? super T, List<KafkaHeader>> other) {
        return new MessageParts<>(value, key, partition, other, timestamp, tombstones);
    }

    MessageParts<T> withTombstones(FilterFunction<? super T> other) {
        return new MessageParts<>(value, key, partition, headers, timestamp, other);
    }

    /** True if the record's message has no value. */
    boolean tombstone(T record) throws Exception {
        return tombstones != null && tombstones.test(record);
    }

    MessageParts<T> withTimestamp(EventTimeFunction<? super T> other) {
        return new MessageParts<>(value, key, partition, headers, other, tombstones);
    }
}
