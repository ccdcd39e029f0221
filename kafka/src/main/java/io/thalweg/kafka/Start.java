// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.io.Serializable;
import java.time.Instant;
import java.util.Map;

/**
 * Where a job begins to read the partitions that exist when it starts. A job that continues from a checkpoint continues
 * from there instead, and partitions that are created later are read from their beginning.
 */
public sealed interface Start extends Serializable {
    /** The oldest message that the topic still has. */
    static Start earliest() {
        return new Earliest();
    }

    /** Messages written after the job has started. */
    static Start latest() {
        return new Latest();
    }

    /**
     * The offsets that the group has committed, see {@link KafkaSource#group}; the oldest message if there are none.
     */
    static Start committed() {
        return new Committed();
    }

    /** The first message that is not older than this time; if all are older, messages written later. */
    static Start at(Instant time) {
        return new At(time);
    }

    /** Offsets by partition: {@code Map.of("orders-0", 17L)}. Other partitions are read from their oldest message. */
    static Start offsets(Map<String, Long> offsets) {
        return new Offsets(Map.copyOf(offsets));
    }

    /** See {@link #earliest}. */
    record Earliest() implements Start {
        private static final long serialVersionUID = 1L;
    }

    /** See {@link #latest}. */
    record Latest() implements Start {
        private static final long serialVersionUID = 1L;
    }

    /** See {@link #committed}. */
    record Committed() implements Start {
        private static final long serialVersionUID = 1L;
    }

    /**
     * See {@link #at}.
     *
     * @param time compared with the timestamps of messages, in milliseconds
     */
    record At(Instant time) implements Start {
        private static final long serialVersionUID = 1L;
    }

    /**
     * See {@link #offsets}.
     *
     * @param offsets by {@code topic-partition}; none is negative
     */
    @SuppressWarnings("serial") // the map is one of the JDK's
    record Offsets(Map<String, Long> offsets) implements Start {
        private static final long serialVersionUID = 1L;

        /** @throws IllegalArgumentException if an offset or a partition cannot be */
        public Offsets {
            offsets.forEach((partition, offset) -> {
                Split.of(partition);
                if (offset < 0) {
                    throw new IllegalArgumentException("offset " + offset + " of " + partition + " is negative");
                }
            });
        }
    }
}
