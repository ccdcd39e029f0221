// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * How large a message is, uncompressed, in Kafka's format of version 2.
 *
 * @param counted as the producer estimates it before it accepts the message
 * @param alone size of a batch with only this message, which the producer splits larger batches into if they are refused
 */
record MessageSize(long counted, long alone) {
    private static final int BATCH = 61;

    /** Attributes, length, timestamp and offset at most. */
    private static final int MOST_AROUND = 21;

    /** Attributes, and the differences to the batch's first timestamp and offset, which are its own. */
    private static final int LEAST_AROUND = 3;

    static MessageSize of(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
        long parts = part(key) + part(value) + variable(headers.size());
        for (Header header : headers) {
            parts += part(header.key().getBytes(StandardCharsets.UTF_8)) + part(header.value());
        }
        long least = parts + LEAST_AROUND;
        return new MessageSize(BATCH + MOST_AROUND + parts, BATCH + variable(least) + least);
    }

    private static long part(byte @Nullable [] bytes) {
        return bytes == null ? 1 : variable(bytes.length) + bytes.length;
    }

    /** Seven bits to a byte, after the sign. */
    private static int variable(long length) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(length << 1);
        return Math.max(1, (bits + 6) / 7);
    }
}
