// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import org.apache.kafka.common.TopicPartition;

/** Splits are named as Kafka names partitions: {@code orders-0}. */
final class Split {
    private Split() {}

    /** @throws IllegalArgumentException if this names no partition */
    static TopicPartition of(String split) {
        int dash = split.lastIndexOf('-');
        try {
            if (dash > 0) {
                return new TopicPartition(
                        split.substring(0, dash), Integer.parseUnsignedInt(split.substring(dash + 1)));
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("a partition is TOPIC-NUMBER, such as orders-0, not '" + split + "'");
    }
}
