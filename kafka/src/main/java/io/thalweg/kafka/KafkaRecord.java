// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message with its metadata; made by {@link KafkaSource#withRecord}.
 *
 * @param <V> decoded values
 * @param topic name of the topic
 * @param partition number of the partition
 * @param offset in its partition
 * @param timestamp epoch milliseconds, as set by the producer or the broker; -1 if there is none
 * @param key null if there is none
 * @param headers in their order
 * @param value decoded; null if the message has none (a tombstone), which deletes its key in a compacted topic
 */
public record KafkaRecord<V>(
        String topic,
        int partition,
        long offset,
        long timestamp,
        byte @Nullable [] key,
        List<KafkaHeader> headers,
        @Nullable V value) {
    /** The key as text in UTF-8; null if there is none. */
    public @Nullable String keyText() {
        return key == null ? null : new String(key, StandardCharsets.UTF_8);
    }

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
