// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.operator.MessageHeader;
import io.thalweg.api.stats.BadReason;
import io.thalweg.run.BadReasons;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.jspecify.annotations.Nullable;

/**
 * An accumulator of an operator's bad records: the first ones of each task, and the total number. Thread-safe: Flink serializes it for its
 * heartbeats while the task goes on.
 */
public final class BadRecords implements Accumulator<BadRecords.Seen, BadRecords.Seen> {
    private static final long serialVersionUID = 1L;
    private static final int MOST_KEPT = 1_000;
    private static final int MOST_REASONS = 50;
    private static final int MOST_BYTES = 4_096;

    /**
     * Of what all tasks of the operator keep: one TaskManager may run them all, and it sends what they keep with each heartbeat, in a
     * message of at most 10 MB by default. Of one that is larger, nothing arrives, and the TaskManager counts as lost.
     */
    private static final int MOST_BYTES_OF_ALL = 4 << 20;

    /** What is sent of a record beside its texts. */
    private static final int AROUND = 200;

    /** A bad record in serializable form. */
    public record Kept(
            String operator,
            String split,
            long line,
            long offset,
            String reason,
            byte[] bytes,
            byte @Nullable [] key,
            List<MessageHeader> headers)
            implements Serializable {
        public BadRecord record() {
            return new BadRecord(split, line, offset, reason, bytes, key, headers);
        }
    }

    /**
     * The value of the accumulator.
     *
     * @param attempt how often Flink has started the task before
     * @param before how many there were before the checkpoint that the attempt continues from
     * @param count of all, with those before
     * @param first the first ones of the attempt
     */
    public record Seen(int attempt, long before, long count, ArrayList<Kept> first, ArrayList<BadReason> reasons)
            implements Serializable {}

    private final int attempt;
    private final int mostBytes;
    private long bytes;
    private long before;
    private long count;
    private ArrayList<Kept> first = new ArrayList<>();
    private BadReasons reasons = new BadReasons();

    /**
     * @param attempt how often Flink has started the task before
     * @param tasks how many the operator has
     */
    public BadRecords(int attempt, int tasks) {
        this.attempt = attempt;
        mostBytes = MOST_BYTES_OF_ALL / tasks;
    }

    public synchronized void add(String operator, BadRecord record) {
        count++;
        reasons.add(operator, record);
        if (first.size() < MOST_KEPT && bytes < mostBytes) {
            byte[] key = record.key();
            Kept kept = new Kept(
                    operator,
                    record.split(),
                    record.line(),
                    record.offset(),
                    limited(record.reason()),
                    limited(record.bytes()),
                    key == null ? null : limited(key),
                    limited(record.headers()));
            first.add(kept);
            bytes += bytes(kept);
        }
    }

    private static int bytes(Kept kept) {
        int bytes = AROUND
                + kept.split.length()
                + kept.reason.length()
                + kept.bytes.length
                + (kept.key == null ? 0 : kept.key.length);
        for (MessageHeader header : kept.headers) {
            bytes += bytes(header);
        }
        return bytes;
    }

    private static int bytes(MessageHeader header) {
        byte[] value = header.value();
        return header.name().length() + (value == null ? 0 : value.length);
    }

    private static String limited(String text) {
        return text.length() > MOST_BYTES ? text.substring(0, MOST_BYTES) : text;
    }

    private static byte[] limited(byte[] bytes) {
        return bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes;
    }

    /** The first ones, which are not longer together than one record may be. */
    private static List<MessageHeader> limited(List<MessageHeader> headers) {
        List<MessageHeader> first = new ArrayList<>();
        int bytes = 0;
        for (MessageHeader header : headers) {
            bytes += bytes(header);
            if (bytes > MOST_BYTES) {
                return first;
            }
            first.add(header);
        }
        return first;
    }

    /** Adds records that were counted before the checkpoint that the task continues from. */
    public synchronized void addCount(long more) {
        before += more;
        count += more;
    }

    public synchronized long count() {
        return count;
    }

    @Override
    public synchronized void add(Seen seen) {
        before += seen.before();
        count += seen.count();
        first.addAll(seen.first());
        seen.reasons().forEach(reasons::add);
    }

    @Override
    public synchronized Seen getLocalValue() {
        return new Seen(attempt, before, count, new ArrayList<>(first), new ArrayList<>(reasons.most(MOST_REASONS)));
    }

    @Override
    public synchronized void resetLocal() {
        before = 0;
        count = 0;
        bytes = 0;
        first = new ArrayList<>();
        reasons = new BadReasons();
    }

    @Override
    public void merge(Accumulator<Seen, Seen> other) {
        add(other.getLocalValue());
    }

    @Override
    public synchronized Accumulator<Seen, Seen> clone() {
        BadRecords copy = new BadRecords(attempt, MOST_BYTES_OF_ALL / mostBytes);
        copy.before = before;
        copy.count = count;
        copy.first = new ArrayList<>(first);
        reasons.most(MOST_REASONS).forEach(copy.reasons::add);
        return copy;
    }

    private synchronized void writeObject(ObjectOutputStream out) throws IOException {
        out.defaultWriteObject();
    }
}
