// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import io.thalweg.cli.UsageException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Where partitions are read from and to: what {@code --from} and {@code --to} say.
 *
 * @param to null for no end
 */
record Bounds(String from, @Nullable String to) {
    static final String EARLIEST = "earliest";
    static final String LATEST = "latest";
    private static final int MOST_DIGITS = 18;

    /** @throws UsageException if one of them is none of the words that are known, no offset and no time */
    Bounds {
        if (!from.equals(EARLIEST) && !from.equals(LATEST) && !isOffset(from)) {
            time(from);
        }
        if (to != null && !to.equals(LATEST) && !isOffset(to)) {
            throw new UsageException("--to is latest or an offset, not " + to);
        }
    }

    /** The offset of the first message to be read of each partition, within what there is. */
    Map<TopicPartition, Long> begins(Consumer<?, ?> consumer, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> last = consumer.endOffsets(partitions);
        if (from.equals(EARLIEST)) {
            return first;
        }
        if (from.equals(LATEST)) {
            return last;
        }
        if (isOffset(from)) {
            long offset = Long.parseLong(from);
            return each(
                    partitions,
                    partition -> Math.min(
                            Math.max(offset, first.getOrDefault(partition, 0L)), last.getOrDefault(partition, 0L)));
        }
        long time = time(from);
        if (time <= 0) { // which Kafka takes for no time
            return first;
        }
        Map<TopicPartition, OffsetAndTimestamp> found = consumer.offsetsForTimes(each(partitions, partition -> time));
        return each(partitions, partition -> {
            OffsetAndTimestamp at = found.get(partition);
            return at == null ? last.getOrDefault(partition, 0L) : Long.valueOf(at.offset());
        });
    }

    /** Before which offset each partition ends; the greatest number if it does not. */
    Map<TopicPartition, Long> ends(Consumer<?, ?> consumer, List<TopicPartition> partitions) {
        if (to == null) {
            return each(partitions, partition -> Long.MAX_VALUE);
        }
        return to.equals(LATEST) ? consumer.endOffsets(partitions) : each(partitions, partition -> Long.parseLong(to));
    }

    /** What the user asks for and does not get, for a line of its own. */
    List<String> warnings(Map<TopicPartition, Long> begins) {
        List<String> warnings = new ArrayList<>();
        if (isOffset(from)) {
            begins.forEach((partition, begin) -> {
                if (begin != Long.parseLong(from)) {
                    warnings.add(partition + " has no offset " + from + "; it is read from " + begin + " on");
                }
            });
        }
        warnings.sort(null);
        return warnings;
    }

    /** That messages are waited for which are not there yet. */
    List<String> waits(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
        if (to == null || !isOffset(to)) {
            return List.of();
        }
        List<String> waits = new ArrayList<>();
        consumer.endOffsets(ends.keySet()).forEach((partition, end) -> {
            if (end < Long.parseLong(to)) {
                waits.add(partition + " ends before offset " + end + "; waiting until it has those up to before " + to
                        + " (--to latest ends with what is there)");
            }
        });
        waits.sort(null);
        return waits;
    }

    private static Map<TopicPartition, Long> each(
            Collection<TopicPartition> partitions, Function<TopicPartition, Long> value) {
        return new HashMap<>(partitions.stream().collect(Collectors.toMap(Function.identity(), value)));
    }

    private static boolean isOffset(String text) {
        return text.length() <= MOST_DIGITS && text.matches("\\d+");
    }

    private static long time(String text) {
        try {
            return text.contains("T")
                    ? Instant.parse(text).toEpochMilli()
                    : LocalDate.parse(text)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                            .toEpochMilli();
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new UsageException("--from is earliest, latest, an offset, or a time such as 2026-01-31 or"
                    + " 2026-01-31T12:00:00Z, not " + text);
        }
    }
}
