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
    private long before;
    private long count;
    private ArrayList<Kept> first = new ArrayList<>();
    private BadReasons reasons = new BadReasons();

    /** @param attempt how often Flink has started the task before */
    public BadRecords(int attempt) {
        this.attempt = attempt;
    }

    public synchronized void add(String operator, BadRecord record) {
        count++;
        reasons.add(operator, record);
        if (first.size() < MOST_KEPT) {
            byte[] key = record.key();
            first.add(new Kept(
                    operator,
                    record.split(),
                    record.line(),
                    record.offset(),
                    record.reason(),
                    limited(record.bytes()),
                    key == null ? null : limited(key),
                    limited(record.headers())));
        }
    }

    private static byte[] limited(byte[] bytes) {
        return bytes.length > MOST_BYTES ? Arrays.copyOf(bytes, MOST_BYTES) : bytes;
    }

    /** The first ones, which are not longer together than one record may be. */
    private static List<MessageHeader> limited(List<MessageHeader> headers) {
        List<MessageHeader> first = new ArrayList<>();
        int bytes = 0;
        for (MessageHeader header : headers) {
            byte[] value = header.value();
            bytes += header.name().length() + (value == null ? 0 : value.length);
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
        first = new ArrayList<>();
        reasons = new BadReasons();
    }

    @Override
    public void merge(Accumulator<Seen, Seen> other) {
        add(other.getLocalValue());
    }

    @Override
    public synchronized Accumulator<Seen, Seen> clone() {
        BadRecords copy = new BadRecords(attempt);
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
