// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/** Finds the start offsets of partitions, with one request for all that have the same kind of start. */
record StartOffsets(SourceSettings source, Consumer<?, ?> consumer) {
    /**
     * Where reading of a partition starts.
     *
     * @param position from a checkpoint; negative if there is none
     */
    record From(Start start, long position) {}

    /** The same, which give up soon: the thread reads nothing while it asks. */
    StartOffsets ofRunning() {
        return new StartOffsets(source.with(source.settings().atMost(TopicList.OF_RUNNING)), consumer);
    }

    Map<TopicPartition, Long> offsets(Map<TopicPartition, From> wanted) {
        Map<TopicPartition, Long> found = new HashMap<>();
        Map<Start, List<TopicPartition>> alike = new HashMap<>();
        wanted.forEach((partition, from) -> {
            if (from.position() >= 0) {
                found.put(partition, from.position());
            } else {
                alike.computeIfAbsent(from.start(), start -> new ArrayList<>()).add(partition);
            }
        });
        alike.forEach((start, partitions) -> found.putAll(of(start, partitions)));
        return found;
    }

    private Map<TopicPartition, Long> of(Start start, List<TopicPartition> partitions) {
        if (start instanceof Start.Latest) {
            return latest(partitions);
        }
        if (start instanceof Start.At at) {
            return at.time().isAfter(Instant.EPOCH) ? at(epochMs(at.time()), partitions) : earliest(partitions);
        }
        Map<TopicPartition, Long> found = new HashMap<>();
        if (start instanceof Start.Committed) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    consumer.committed(Set.copyOf(partitions), source.settings().connectTimeout());
            committed.forEach((partition, offset) -> {
                if (offset != null) {
                    found.put(partition, offset.offset());
                }
            });
        } else if (start instanceof Start.Offsets offsets) {
            partitions.forEach(partition -> {
                Long offset = offsets.offsets().get(partition.toString());
                if (offset != null) {
                    found.put(partition, offset);
                }
            });
        }
        found.putAll(earliest(partitions.stream()
                .filter(partition -> !found.containsKey(partition))
                .toList()));
        return found;
    }

    private static long epochMs(Instant time) {
        try {
            return time.toEpochMilli();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE; // hundreds of millions of years on
        }
    }

    private Map<TopicPartition, Long> at(long timeMs, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, timeMs));
        Map<TopicPartition, Long> found = latest(partitions);
        Map<TopicPartition, OffsetAndTimestamp> first =
                consumer.offsetsForTimes(times, source.settings().connectTimeout());
        first.forEach((partition, offset) -> {
            if (offset != null) {
                found.put(partition, offset.offset());
            }
        });
        return found;
    }

    Map<TopicPartition, Long> earliest(Collection<TopicPartition> partitions) {
        return partitions.isEmpty()
                ? Map.of()
                : consumer.beginningOffsets(partitions, source.settings().connectTimeout());
    }

    Map<TopicPartition, Long> latest(Collection<TopicPartition> partitions) {
        return partitions.isEmpty()
                ? Map.of()
                : new HashMap<>(
                        consumer.endOffsets(partitions, source.settings().connectTimeout()));
    }
}
