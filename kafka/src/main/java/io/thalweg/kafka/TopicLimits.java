// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The limits of a topic.
 *
 * @param requestBytes the largest message that the producer accepts
 * @param batchBytes the largest batch that the broker accepts
 * @param compacted each message needs a key
 * @param pastMs how far a timestamp may lie behind the broker's clock
 * @param futureMs how far it may be ahead of it
 */
record TopicLimits(int partitions, long requestBytes, long batchBytes, boolean compacted, long pastMs, long futureMs) {
    /** @param settings of the topic; a missing one is no limit here, and the broker will refuse what exceeds it */
    static TopicLimits of(int partitions, Map<String, String> settings) {
        boolean ownTime = settings.getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "")
                .equals("LogAppendTime");
        return new TopicLimits(
                partitions,
                Long.MAX_VALUE,
                number(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                settings.getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "").contains("compact"),
                ownTime ? Long.MAX_VALUE : number(settings, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG),
                ownTime ? Long.MAX_VALUE : number(settings, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG));
    }

    private static long number(Map<String, String> settings, String name) {
        String value = settings.get(name);
        return value == null ? Long.MAX_VALUE : Long.parseLong(value);
    }

    /** @param uncompressed false if the size of a message in its batch is unknown */
    TopicLimits with(long mostRequestBytes, boolean uncompressed) {
        return new TopicLimits(
                partitions, mostRequestBytes, uncompressed ? batchBytes : Long.MAX_VALUE, compacted, pastMs, futureMs);
    }
}
