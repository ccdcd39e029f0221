// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.operator.OperatorContext;
import io.thalweg.api.operator.RecordFailedException;
import io.thalweg.api.stats.InputStats;
import io.thalweg.api.stats.LateSample;
import io.thalweg.engine.ack.Anchor;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.TurnLimit;
import io.thalweg.run.LateLog;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the stages of one task share while a record passes: its time, where it came from, whether there is room. */
public final class Frame {
    /** Event time of the current record. */
    public long time = OperatorContext.NO_TIME;

    /** The watermark that the record's split had before it. */
    public long stamp = OperatorContext.NO_TIME;

    /** The watermark of the task: all its inputs have reached it. */
    public long watermark = OperatorContext.NO_TIME;

    /** An output is full, or the turn has lasted too long: nothing new may begin. */
    public boolean blocked;

    /** How long the task may emit in a turn. */
    public TurnLimit turn = TurnLimit.none();

    /** The current split is ahead of others (watermark alignment): no more of it is read in this turn. */
    public boolean ahead;

    /** Where the current record came from, or at least the batch it is in. */
    public String split = "";

    public long offset;

    /** The reader of the current record, if it has passed no queue; it knows the exact position. */
    public @Nullable SplitReader<?> reader;

    /** {@link #heldOffset} while the current record is the one read last. */
    public static final long NOT_HELD = -1;

    /** Line and offset of the current record, if it was read earlier and held back. */
    public long heldLine;

    public long heldOffset = NOT_HELD;

    /** What failed behind the operator that is being called, which may catch what it is thrown; null if nothing did. */
    public @Nullable Throwable failedBehind;

    /** Which source record the current record comes from; null if the job is not acked. */
    public @Nullable Anchor anchor;

    /** When the current record, or the first of its batch, was due. */
    public long dueNs;

    /** Bad records in this turn. */
    public long bad;

    /** Those of them that were input of the chain. */
    public long dropped;

    /** Those of them that no source could read. */
    public long unread;

    /** Input records of this turn, including unreadable ones, that were bad or led to bad records. */
    public long inputsBad;

    private String badSplit = "";
    private long badOffset = -1;

    /** Records in this turn that a sink has counted as written, and then found to be bad. */
    private long refused;

    /** Late records in this turn. */
    long late;

    /** What is told of the late records of the task. */
    final LateLog lateLog = new LateLog();

    /** Null in a job that never drops a record after retries. */
    public @Nullable PoisonRecords poisonRecords;

    /** Where an operator of the task tells, by its name, that it lost a system. */
    public Function<String, ConnectionReports> connections = operator -> ConnectionReports.none();

    /** Hears what the source says of the task's input. */
    public Consumer<InputStats> measured = input -> {};

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

    /** Asked between two records by what may emit many: true if the rest must wait for room, or for the next turn. */
    public boolean pauses() {
        if (!blocked) {
            blocked = turn.isReached();
        }
        return blocked;
    }

    /**
     * The current record is late.
     *
     * @param byMs how much more disorder would have had to be allowed for it; not positive if that is unknown
     * @param record the record itself; null if the operator does not say
     */
    public void late(String operator, long byMs, @Nullable Object record) {
        late++;
        if (TaskCounters.ON && lateLog.add(operator, byMs)) {
            lateLog.keep(
                    operator,
                    new LateSample(
                            LateLog.text(record),
                            LateLog.line(split),
                            known(time),
                            known(stamp),
                            known(watermark),
                            Math.max(0, byMs)));
        }
    }

    private static @Nullable Long known(long time) {
        return time <= Batch.IDLE ? null : Long.valueOf(time);
    }

    /** Counts and keeps a bad record that is not input of the chain, such as a row of a table. */
    public void bad(String operator, BadRecord record) {
        bad++;
        badRecords.bad(operator, record);
    }

    /** Counts and keeps an input record of the chain that is dropped later, after all retries. */
    public void givenUp(String operator, BadRecord record) {
        inputsBad++;
        bad(operator, record);
    }

    /** The same of a record that a sink has taken, and cannot write. */
    public void refused(String operator, BadRecord record) {
        refused++;
        givenUp(operator, record);
    }

    /** How many there were since it was called last. */
    long takeRefused() {
        long count = refused;
        refused = 0;
        return count;
    }

    /** Counts and keeps a record that the source cannot read. */
    public void unread(String operator, BadRecord record) {
        unread++;
        inputsBad++;
        bad(operator, record);
    }

    /** The source cannot read the record that its reader is at. */
    public void unread(String operator, BadRecordException thrown) {
        BadRecord place = current("", thrown.bytes());
        unread(operator, BadRecord.of(place.split(), place.line(), place.offset(), thrown));
    }

    /** The current record is bad. */
    public void bad(String operator, String reason, byte[] bytes) {
        BadRecord record = current(reason, bytes);
        boolean knowsPlaces = reader != null && reader.position() != offset; // it has advanced since the turn began
        boolean sameInput = knowsPlaces && record.offset() == badOffset && split.equals(badSplit);
        inputsBad += sameInput ? 0 : 1; // several records may be derived from one input record
        badOffset = reader == null ? -1 : record.offset();
        badSplit = split;
        bad(operator, record);
    }

    BadRecord current(String reason, byte[] bytes) {
        return reader == null
                ? new BadRecord(split, 0, offset, reason, bytes)
                : new BadRecord(split, line(reader), recordOffset(reader), reason, bytes);
    }

    private long line(SplitReader<?> of) {
        return heldOffset == NOT_HELD ? of.line() : heldLine;
    }

    /** Sets {@link #split} for a record: where it is the same, as nearly always, nothing is stored, which would cost a fence. */
    @SuppressWarnings("ReferenceEquality")
    public void setSplit(String of) {
        if (split != of) {
            split = of;
        }
    }

    /** Where the current record begins, of those that this reader has read. */
    public long recordOffset(SplitReader<?> of) {
        return heldOffset == NOT_HELD ? of.recordOffset() : heldOffset;
    }

    /**
     * An operator failed on an input record of this chain. Throws the failure, or returns so that the task continues;
     * whether the record is dropped is decided later.
     */
    public void onFailure(OperatorException failure, @Nullable Object record) throws OperatorException {
        onFailure(failure, record, true);
    }

    /** @param whole as {@link PoisonRecords#failed} has it */
    void onFailure(OperatorException failure, @Nullable Object record, boolean whole) throws OperatorException {
        if (poisonRecords == null) {
            throw failure;
        }
        poisonRecords.failed(failure, record, whole);
    }

    /**
     * Handles what a user's function threw: a bad record is counted and kept, and the caller continues with the next
     * one; anything else is thrown as a failure.
     */
    public void onThrown(String operator, Throwable thrown) throws OperatorException {
        if (thrown instanceof OperatorException further) {
            throw further; // of an operator further down the chain, which it names
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
