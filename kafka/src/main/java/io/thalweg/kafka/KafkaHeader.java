// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.operator.BadRecordException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A header of a message.
 *
 * @param name of the header
 * @param value null if the header has none
 */
public record KafkaHeader(String name, byte @Nullable [] value) {
    /**
     * A header with a text in UTF-8.
     *
     * @throws BadRecordException if the text is null, or contains half a surrogate pair, which UTF-8 cannot encode
     */
    public static KafkaHeader of(String name, String text) {
        return new KafkaHeader(name, utf8(text, "the text of header '" + name + "'"));
    }

    /** @param what the text is, for the message */
    static byte[] utf8(String text, String what) {
        if (text == null) { // against the contract, as of a field that a record lacks
            throw new BadRecordException(what + " is null", "");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new BadRecordException(what + " contains half a surrogate pair, which UTF-8 cannot encode", text);
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The value as text in UTF-8; null if there is none.
     *
     * @throws BadRecordException if it is no UTF-8
     */
    public @Nullable String text() {
        if (value == null) {
            return null;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadRecordException("the value of header '" + name + "' is not valid UTF-8", value);
        }
    }
}
