// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SourceContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Tells once that somebody else commits offsets to the group of a source: brokers refuse that only where a group has members. For one
 * thread.
 */
final class GroupWatch {
    /** A look is a request to the broker, which is waited for. */
    private static final long BETWEEN_LOOKS_NS = Duration.ofMinutes(1).toNanos();

    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final SourceSettings source;
    private final SourceContext context;
    private final Consumer<?, ?> consumer;

    /** What the group has, unless somebody else has committed since. */
    private final Map<TopicPartition, OffsetAndMetadata> ours = new HashMap<>();

    private long lookedNs;
    private boolean told;

    GroupWatch(SourceSettings source, SourceContext context, Consumer<?, ?> consumer) {
        this.source = source;
        this.context = context;
        this.consumer = consumer;
        lookedNs = context.nowNs() - BETWEEN_LOOKS_NS;
    }

    /** A commit was answered. Without success it is not known what the group has. */
    void onAnswer(Map<TopicPartition, OffsetAndMetadata> offsets, boolean success) {
        if (success) {
            ours.putAll(offsets);
        } else {
            ours.keySet().removeAll(offsets.keySet());
        }
    }

    /** To be called before a commit, while no other is on its way. */
    void look() {
        if (told || ours.isEmpty() || context.nowNs() - lookedNs < BETWEEN_LOOKS_NS) {
            return;
        }
        try {
            consumer.committed(Set.copyOf(ours.keySet()), ANSWER).forEach(this::compare);
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            // the commit that follows fails, too, and says why
        }
        lookedNs = context.nowNs();
    }

    private void compare(TopicPartition partition, OffsetAndMetadata found) {
        OffsetAndMetadata own = ours.get(partition);
        if (told || own == null || found == null || own.offset() == found.offset()) { // null if it is forgotten
            return;
        }
        told = true;
        context.warn("group " + source.group() + " at " + source.settings().servers() + " has offset " + found.offset()
                + " of partition " + partition.partition() + " of topic " + partition.topic()
                + ", and this job committed "
                + own.offset() + ": another job or consumer commits to that group, too; give each a group of its own");
    }
}
