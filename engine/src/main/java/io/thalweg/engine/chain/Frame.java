// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.engine.ack.Anchor;
import org.jspecify.annotations.Nullable;

/** What the stages of one task share while a record passes: its time, where it came from, whether there is room. */
public final class Frame {
    /** Event time of the current record. */
    public long time = OperatorContext.NO_TIME;

    /** The watermark that the record's split had before it. */
    public long stamp = OperatorContext.NO_TIME;

    /** What this task has been told that all its inputs have reached. */
    public long watermark = OperatorContext.NO_TIME;

    /** An output has no room: nothing new is to be begun. */
    public boolean blocked;

    /** The split in hand has run ahead of others: no more of it is read in this turn. */
    public boolean ahead;

    /** Where the current record came from, or at least the batch it is in. */
    public String split = "";

    public long offset;

    /** What the current record was read by, if it has passed no queue: knows exactly where it stood. */
    public @Nullable SplitReader<?> reader;

    /** Which source record the current record comes from; null if the job is not acked. */
    public @Nullable Anchor anchor;

    /** When the current record, or the first of its batch, was due. */
    public long dueNs;

    /** Records that were bad in this turn. */
    public long bad;

    /** Those of them that had come into the chain. */
    public long dropped;

    /** Those of them that no source could read. */
    public long unread;

    /** Records that came into the chain, or could not be read, and that were bad or of which bad ones came in this turn. */
    public long inputsBad;

    private String badSplit = "";
    private long badOffset = -1;

    /** Records that were late in this turn. */
    public long late;

    /** Null in a job that gives no record up. */
    public @Nullable Trials trials;

    private final BadRecords badRecords;

    /** Where bad records go. */
    @FunctionalInterface
    public interface BadRecords {
        /** @throws RuntimeException if the job is to fail */
        void bad(String operator, BadRecord record);
    }

    public Frame(BadRecords badRecords) {
        this.badRecords = badRecords;
    }

    /** Counts and keeps a bad record that is none of the chain's input, such as a row of a table. */
    public void bad(String operator, BadRecord record) {
        bad++;
        badRecords.bad(operator, record);
    }

    /** Counts and keeps a record that came into the chain and is given up later: after all retries, or by a sink. */
    public void givenUp(String operator, BadRecord record) {
        inputsBad++;
        bad(operator, record);
    }

    /** Counts and keeps a record that the source cannot read. */
    public void unread(String operator, BadRecord record) {
        unread++;
        inputsBad++;
        bad(operator, record);
    }

    /** The source cannot read the record that its reader is at. */
    public void unread(String operator, String reason, byte[] bytes) {
        unread(operator, current(reason, bytes));
    }

    /** The current record is bad. */
    public void bad(String operator, String reason, byte[] bytes) {
        BadRecord record = current(reason, bytes);
        boolean knowsPlaces = reader != null && reader.position() != offset; // moved on since the turn began
        boolean sameInput = knowsPlaces && record.offset() == badOffset && split.equals(badSplit);
        inputsBad += sameInput ? 0 : 1; // several records may come of one that was read
        badOffset = reader == null ? -1 : record.offset();
        badSplit = split;
        bad(operator, record);
    }

    BadRecord current(String reason, byte[] bytes) {
        return reader == null
                ? new BadRecord(split, 0, offset, reason, bytes)
                : new BadRecord(split, reader.line(), reader.recordOffset(), reason, bytes);
    }

    /**
     * An operator failed at a record that came into this chain: what comes back is thrown, or the task continues, and it shows
     * later whether the record is given up.
     */
    public void onFailure(OperatorException failure, @Nullable Object record) throws OperatorException {
        onFailure(failure, record, true);
    }

    /** @param whole as {@link Trials#failed} has it */
    void onFailure(OperatorException failure, @Nullable Object record, boolean whole) throws OperatorException {
        if (trials == null) {
            throw failure;
        }
        trials.failed(failure, record, whole);
    }

    /**
     * What to do with what a user's function threw: a bad record is kept and the caller continues with the next; anything
     * else comes back as the failure to throw.
     */
    public void onThrown(String operator, Throwable thrown) throws OperatorException {
        if (thrown instanceof OperatorException further) {
            throw further; // it happened down the chain and says so itself
        }
        if (thrown instanceof BadRecordException exception) {
            dropped++;
            bad(operator, String.valueOf(exception.getMessage()), exception.bytes());
        } else if (thrown instanceof RecordFailedException && anchor != null && anchor.root() != 0) {
            dropped++;
            anchor.fail(operator, String.valueOf(thrown.getMessage()));
        } else {
            throw new OperatorException(operator, split, offset, thrown);
        }
    }
}
