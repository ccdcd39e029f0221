// SPDX-License-Identifier: Apache-2.0
package io.thalweg.kafka;

import io.thalweg.api.connector.ConnectorException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/** Says what partitions have lost, before it was read or after, and decides by {@link OutOfRange} where the source continues. */
record LostOffsets(SourceSettings source, StartOffsets beginnings) {
    private static final String BEFORE = " were deleted before they were read, by the topic's retention or by hand";

    static final String AFTER = "a replica without them became the leader, or a broker lost them";

    /** @param what was lost, in a line for the user */
    record Next(long offset, String what) {}

    /**
     * Where to continue in each partition that an offset is gone from.
     *
     * @param positions where the source was
     * @param stops where it stops to read a partition
     * @throws ConnectorException if the policy is to fail
     */
    Map<TopicPartition, Next> after(
            OffsetOutOfRangeException thrown,
            ToLongFunction<TopicPartition> positions,
            ToLongFunction<TopicPartition> stops) {
        Set<TopicPartition> partitions = thrown.partitions();
        Map<TopicPartition, OffsetAndMetadata> divergent =
                thrown instanceof LogTruncationException truncated ? truncated.divergentOffsets() : Map.of();
        Map<TopicPartition, Long> begins = beginnings.earliest(partitions);
        Map<TopicPartition, Long> ends = beginnings.latest(partitions);
        Map<TopicPartition, Next> next = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            Range there = new Range(begins.getOrDefault(partition, 0L), ends.getOrDefault(partition, 0L));
            Optional<Long> kept = Optional.ofNullable(divergent.get(partition)).map(OffsetAndMetadata::offset);
            next.put(
                    partition,
                    next(
                            partition,
                            there,
                            positions.applyAsLong(partition),
                            kept,
                            thrown instanceof LogTruncationException,
                            stops.applyAsLong(partition)));
        }
        return next;
    }

    /**
     * Where a source that stops at the end of a partition begins in it, if it is to begin behind that end.
     *
     * @throws ConnectorException if the policy is to fail
     */
    Next beyond(TopicPartition partition, long wanted, long end) {
        long begin = beginnings.earliest(Set.of(partition)).getOrDefault(partition, 0L);
        return next(partition, new Range(begin, end), wanted, Optional.empty(), false, end);
    }

    private record Range(long begin, long end) {}

    /** @param kept up to where the partition has what the source has read, if that is known */
    private Next next(
            TopicPartition partition, Range there, long wanted, Optional<Long> kept, boolean truncated, long stop) {
        String what = "topic " + partition.topic() + ", partition " + partition.partition() + " at "
                + source.settings().servers() + " has offsets from " + there.begin + " to before " + there.end
                + ", but the source is at " + wanted + "; " + lost(there, wanted, kept, truncated);
        if (source.outOfRange() == OutOfRange.FAIL) {
            throw new ConnectorException(
                    what + "; to continue with what is there, set onOutOfRange(OutOfRange.EARLIEST) or LATEST");
        }
        long unread = Math.max(there.begin, kept.orElse(there.begin));
        long from = source.outOfRange() == OutOfRange.EARLIEST ? unread : there.end;
        return new Next(
                from, what + (from < stop ? "; it continues at " + from : "; nothing else of the partition is read"));
    }

    private static String lost(Range there, long wanted, Optional<Long> kept, boolean truncated) {
        if (kept.isPresent()) {
            return "what it has read from " + kept.get() + " on is not in the topic any more: " + AFTER;
        }
        if (truncated) {
            return "what it has read is not in the topic any more: " + AFTER;
        }
        return wanted < there.begin
                ? "the offsets from " + wanted + " to before " + there.begin + BEFORE
                : "the topic never had that offset, or has lost messages: " + AFTER;
    }
}
