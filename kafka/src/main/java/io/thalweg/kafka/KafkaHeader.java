// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A header of a message.
 *
 * @param name of the header
 * @param value null if the header has none
 */
public record KafkaHeader(String name, byte @Nullable [] value) {
    /** A header with a text in UTF-8. */
    public static KafkaHeader of(String name, String text) {
        return new KafkaHeader(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The value as text in UTF-8; null if there is none. */
    public @Nullable String text() {
        return value == null ? null : new String(value, StandardCharsets.UTF_8);
    }
}
