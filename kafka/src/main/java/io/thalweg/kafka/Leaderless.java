// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.SourceContext;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Tells of partitions that no broker leads, so that nothing of them is read, where the consumer waits without a word. For one thread. */
final class Leaderless {
    private final SourceSettings source;
    private final SourceContext context;

    /** When each was seen first. */
    private final Map<TopicPartition, Long> sinceNs = new HashMap<>();

    private final Set<TopicPartition> told = new HashSet<>();

    Leaderless(SourceSettings source, SourceContext context) {
        this.source = source;
        this.context = context;
    }

    /**
     * Looks; to be called again some seconds later if {@link #suspects}.
     *
     * @param topics those that are there now
     * @return which of the partitions have no leader now, or are not in their topic
     */
    Set<TopicPartition> look(long nowNs, Map<String, TopicDescription> topics, Set<TopicPartition> partitions) {
        Set<TopicPartition> none = new HashSet<>();
        for (TopicPartition partition : partitions) {
            TopicDescription topic = topics.get(partition.topic());
            if (topic != null && !isLed(topic, partition.partition())) {
                none.add(partition);
                tell(nowNs, topic, partition);
            }
        }
        sinceNs.keySet().retainAll(none);
        told.retainAll(none);
        return none;
    }

    /** There are some of which the user has not heard: that a leader moves is not worth a line. */
    boolean suspects() {
        return sinceNs.size() > told.size();
    }

    private void tell(long nowNs, TopicDescription topic, TopicPartition partition) {
        long since = sinceNs.computeIfAbsent(partition, first -> nowNs);
        if (nowNs - since >= Silence.PATIENCE.toNanos() && told.add(partition)) {
            boolean there = partition.partition() < topic.partitions().size();
            context.warn("topic " + partition.topic() + ", partition " + partition.partition() + " at "
                    + source.settings().servers()
                    + (there
                            ? " has no leader: nothing of it is read until it has one; start the brokers that have its data"
                            : " is not there any more: nothing of it is read"));
        }
    }

    private static boolean isLed(TopicDescription topic, int partition) {
        for (TopicPartitionInfo each : topic.partitions()) {
            Node leader = each.leader();
            if (each.partition() == partition) {
                return leader != null && !leader.isEmpty();
            }
        }
        return false;
    }
}
