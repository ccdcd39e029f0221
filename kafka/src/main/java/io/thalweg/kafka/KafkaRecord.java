// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message with its metadata; made by {@link KafkaSource#withRecord}.
 *
 * @param <K> decoded keys
 * @param <V> decoded values
 * @param topic name of the topic
 * @param partition number of the partition
 * @param offset in its partition
 * @param timestamp epoch milliseconds, as set by the producer or the broker; -1 if there is none
 * @param key decoded; null if the message has none
 * @param headers in their order
 * @param value decoded; null if the message has none (a tombstone), which deletes its key in a compacted topic
 */
public record KafkaRecord<K, V>(
        String topic,
        int partition,
        long offset,
        long timestamp,
        @Nullable K key,
        List<KafkaHeader> headers,
        @Nullable V value) {
    /** The last header with this name; null if there is none. */
    public @Nullable KafkaHeader header(String name) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(name)) {
                return headers.get(i);
            }
        }
        return null;
    }
}
