// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message with all that Kafka knows of it; made by {@link KafkaSource#withRecord}.
 *
 * @param offset in its partition
 * @param timestamp milliseconds since 1970-01-01 UTC, as the producer or the broker has set it; -1 if nobody has
 * @param key null if it has none
 * @param headers in their order
 * @param value decoded; null if the message has none, which deletes its key in a compacted topic
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

    /** The last header of that name; null if there is none. */
    public @Nullable KafkaHeader header(String name) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(name)) {
                return headers.get(i);
            }
        }
        return null;
    }
}
