// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.FailureHistory;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.TaskAgreement;
import io.thalweg.engine.chain.TaskParts;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.stats.TaskCounters;
import io.thalweg.engine.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A source task: reads its splits side by side, one turn each. */
public final class SourceTask extends ChainTask {
    /**
     * What a source task reads, and how.
     *
     * @param node the source's number in the graph
     * @param loop that of {@code acked}, if the job is acked
     * @param acked null if the job is not acked
     * @param step maximum number of records to poll in one turn; 0 to adapt it while running
     * @param failureHistory gets the positions that the task has read to, and those in checkpoints
     */
    public record Reading(
            int node,
            TaskSplits splits,
            SourceAccess access,
            EventTimes times,
            PollLoop loop,
            @Nullable AckedInput acked,
            int step,
            FailureHistory failureHistory) {}

    private static final long TELL_TIMES_NS = 500_000_000;
    private static final long NS_PER_US = 1_000;

    private final Reading reading;
    private final TaskSplits splits;
    private final EventTimes times;
    private final @Nullable AckedInput acked;
    private final TaskAgreement agreement;

    /** Null if watermarks are not aligned. */
    private final @Nullable Alignment alignment;

    private final SplitRotation rotation;
    private final PollLimit limit;
    private @Nullable SplitOpener opener;

    /** Null if each split has a reader of its own. */
    private @Nullable LiveSplits live;

    /** When the event times of splits are to be told again. */
    private long tellTimesAtNs;

    private boolean full;
    private boolean metBad;
    private boolean cancelled;

    /** Since when no input is taken, because outputs are full or turns too short for what is emitted; 0 while it is. */
    private long heldBackSinceNs;

    /** This turn begins with what the last one had no time for, so it says nothing of how long records take. */
    private boolean continues;

    /** The checkpoint of the last barrier that was sent. */
    private long barrierSent;

    /** The last turn sent a barrier, so this one must read, even if the next checkpoint is requested already. */
    private boolean toRead;

    public SourceTask(TaskParts parts, Reading reading) {
        super(parts);
        this.reading = reading;
        splits = reading.splits();
        times = reading.times();
        acked = reading.acked();
        agreement = parts.agreement();
        alignment = Alignment.of(times.readers(), parts.frame(), parts.counters());
        rotation = new SplitRotation(alignment);
        limit = new PollLimit(reading.step());
        Barriers checkpoints = checkpoints();
        barrierSent = checkpoints == null ? 0 : checkpoints.asked();
    }

    @Override
    protected void openInput() throws Exception {
        tellTimesAtNs = clock.nowNs();
        times.splits(splits.count());
        Map<String, SplitProgress> known =
                restored() == null ? Map.of() : SplitProgress.of(splits.operator(), restored());
        SplitOpener opens = new SplitOpener(
                name(), splits.operator(), reading.access(), frame, clock, checkpoints() != null, restored());
        opener = opens;
        live = opens.live();
        for (int number = 0; number < splits.count(); number++) {
            String split = splits.name(number);
            SplitProgress progress = known.get(split);
            if (progress != null) {
                times.restore(number, progress);
            }
            if (progress != null && progress.ended()) {
                rotation.addEnded(number, progress.at());
                continue;
            }
            OpenSplit opened = new OpenSplit(number, split, opens.open(split, progress), alignment);
            rotation.add(opened);
            if (acked != null && opened.reader instanceof ConfirmedReader<Object> reader) {
                acked.confirmations().add(number, reader);
                rotation.keepOpen(reader);
            }
        }
    }

    /** Handles reports even if outputs are full: a task that waits to report may be the reason why they are. */
    @Override
    protected void listen() {
        continues = frame.turn.isOver();
        if (acked != null) {
            acked.tracker().listen();
        }
    }

    @Override
    protected Turn takeInput() throws Exception {
        beginTurn();
        boolean sentAgain = acked != null && lookAfter(acked);
        if (live != null) {
            lookAfter(live);
        }
        Turn otherwise = sentAgain ? Turn.BUSY : Turn.WAITING;
        if (waitsForAcks()) {
            return otherwise; // the job ends with a last checkpoint, so nothing is lost or repeated
        }
        Turn stopping = barrierOrStop();
        if (stopping != null) {
            return stopping;
        }
        boolean over = over() || agreement.draining(reading.node());
        if (over && (acked == null || acked.pending().open() == 0)) {
            return Turn.DONE;
        }
        boolean noRoom = acked != null && acked.pending().room() == 0;
        return !over && !noRoom && readSplit() ? Turn.BUSY : otherwise;
    }

    private void beginTurn() {
        countHeldBack();
        heldBackSinceNs = 0;
        if (alignment != null) {
            alignment.look(clock.nowNs());
        }
    }

    /** Splits are not idle while none is read. */
    private void countHeldBack() {
        if (heldBackSinceNs != 0) {
            long nowNs = clock.nowNs();
            times.notRead(nowNs - heldBackSinceNs);
            heldBackSinceNs = nowNs;
        }
    }

    private boolean waitsForAcks() {
        return acked != null
                && agreement.cancelled()
                && !agreement.dropping()
                && acked.tracker().waitsForOpen();
    }

    /** Sends a barrier that is requested, or stops if required; null if input is to be read. */
    private @Nullable Turn barrierOrStop() {
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && checkpoints.asked() > barrierSent && !toRead) {
            barrierSent = checkpoints.asked();
            toRead = true;
            onBarrier(barrierSent, clock.nowNs());
            return Turn.BUSY;
        }
        toRead = false;
        if (checkpoints != null && barrierSent >= checkpoints.stopAt()) {
            cancelled =
                    true; // even if the input has ended meanwhile: the results of its end belong behind the checkpoint
            return Turn.DONE;
        }
        if (agreement.cancelled() && (checkpoints == null || !over())) {
            cancelled = checkpoints == null;
            return cancelled ? Turn.DONE : Turn.WAITING; // for the last checkpoint to be requested
        }
        return null;
    }

    /** Reads some records of the next split that has any; false if none has. */
    private boolean readSplit() throws Exception {
        boolean read = false;
        for (int left = rotation.open().size(); left > 0 && !read && !frame.blocked; left--) {
            OpenSplit split = next(clock.nowNs());
            if (split == null) {
                break;
            }
            read = read(split);
        }
        return read;
    }

    /** The next split that may be read; null if all wait for slower ones. */
    private @Nullable OpenSplit next(long nowNs) {
        if (!times.none() && nowNs - tellTimesAtNs >= 0) {
            tellTimesAtNs = nowNs + TELL_TIMES_NS;
            counters().splitTimes = times.ofSplits(splits, nowNs);
        }
        OpenSplit next = rotation.next();
        if (alignment != null && next == null) {
            alignment.await();
        } else if (alignment != null) {
            alignment.warnOfStalled(splits, nowNs, this::warn);
        }
        return next;
    }

    /** Reads some records of a split; false if there was nothing. */
    private boolean read(OpenSplit split) throws Exception {
        long nowNs = clock.nowNs();
        frame.split = split.name;
        frame.offset = split.reader.position();
        frame.reader = split.reader;
        long dueNs = split.reader.nextDueNs();
        frame.dueNs = dueNs == 0 ? nowNs : dueNs;
        times.begin(split.number);
        int most = split.most(limit.records(), dueNs);
        if (acked != null) {
            most = Math.min(most, acked.pending().room());
            acked.sender().begin(split.number, nowNs);
        }
        metBad = false;
        int polled = poll(split, most);
        settle();
        full = polled == most;
        boolean ended = !full && !metBad && !frame.blocked && !frame.ahead && split.reader.finished();
        times.end(ended, nowNs);
        if (acked != null) {
            acked.tracker().endTurn();
        }
        if (ended) {
            rotation.end(split, at(split));
        }
        if (polled > 0) {
            onInput(polled, frame.dueNs);
            TaskCounters.add(counters.batchesIn, 1);
            if (dueNs != 0) {
                TaskCounters.add(counters.overdueUs, polled * (Math.max(0, nowNs - dueNs) / NS_PER_US));
            }
            split.pace(polled, dueNs);
        }
        return polled > 0 || ended || metBad;
    }

    private int poll(OpenSplit split, int most) throws Exception {
        try {
            return reading.loop().run(split.polled, most);
        } catch (OperatorException e) {
            throw e.at(split.name, frame.recordOffset(split.reader));
        } catch (ConnectorException e) {
            throw e;
        } catch (BadRecordException e) {
            metBad = true;
            frame.unread(splits.operator(), e);
            return reading.loop().done();
        } catch (Exception e) {
            throw new OperatorException(splits.operator(), split.name, split.reader.recordOffset(), e);
        }
    }

    private void warn(String message) {
        if (opener != null) {
            opener.warn(message);
        }
    }

    /** True if the input has ended. */
    private boolean over() {
        return rotation.isEmpty() && (live == null || !live.looks());
    }

    /** Opens splits that were discovered, and confirms records that are done. */
    private void lookAfter(LiveSplits of) throws OperatorException {
        for (String split : of.found()) {
            int number = splits.add(split);
            times.add(clock.nowNs());
            rotation.add(new OpenSplit(number, split, of.openFound(split), alignment));
        }
        if (acked != null && acked.confirmations().safeAtOnce()) {
            Pending pending = acked.pending();
            rotation.ended().forEach((number, at) -> confirm(of, pending, number, at.position()));
            rotation.open().forEach(each -> confirm(of, pending, each.number, each.reader.position()));
        }
    }

    private void confirm(LiveSplits of, Pending pending, int number, long read) {
        Pending.Entry oldest = pending.oldest(number);
        of.confirm(splits.name(number), oldest == null ? read : oldest.position());
    }

    /** Handles reports, and retries records that failed; true if there were any. */
    private boolean lookAfter(AckedInput input) throws Exception {
        AckedSender sender = input.sender();
        sender.sentAgain(); // the output of the last retry has been sent
        input.tracker().look();
        boolean any = false;
        while (!frame.blocked) {
            Pending.Entry record = sender.due();
            if (record == null) {
                break;
            }
            input.loop().again(record);
            any = true;
        }
        input.tracker().endTurn();
        return any;
    }

    @Override
    protected void saveInput(TaskState to) throws Exception {
        List<SplitProgress> all = new ArrayList<>();
        rotation.ended().forEach((number, at) -> all.add(progress(number, true, at)));
        for (OpenSplit each : rotation.open()) {
            all.add(progress(each.number, false, at(each)));
        }
        SplitProgress.save(splits.operator(), all, to);
        all.forEach(each ->
                reading.failureHistory().saved(to.checkpoint(), splits.operator(), each.split(), each.position()));
        Barriers checkpoints = checkpoints();
        if (checkpoints == null) {
            return;
        }
        long belongsTo = to.checkpoint() == 0 ? checkpoints.asked() + 1 : to.checkpoint();
        if (acked != null) {
            acked.confirmations().onSaved(belongsTo);
        }
        if (live != null) {
            live.onSaved(belongsTo, all);
        }
    }

    /** The position of a split's reader, with its fingerprint if the job takes checkpoints. */
    private SavedPosition at(OpenSplit split) throws Exception {
        if (checkpoints() == null) {
            return SplitProgress.unknown(split.reader.position());
        }
        try {
            return SavedPosition.of(split.reader);
        } catch (ConnectorException e) {
            throw e;
        } catch (Exception e) {
            throw new OperatorException(splits.operator(), split.name, split.reader.recordOffset(), e);
        }
    }

    private SplitProgress progress(int number, boolean ended, SavedPosition at) {
        Pending.Entry oldest = acked == null ? null : acked.pending().oldest(number);
        if (oldest != null) { // this record and those after it are read again
            SavedPosition again = new SavedPosition(oldest.position(), at.fingerprint());
            return new SplitProgress(splits.name(number), false, again, times.named(oldest.watermarks()));
        }
        return new SplitProgress(splits.name(number), ended, at, times.named(times.stampsOf(number)));
    }

    @Override
    public void onTurn(Turn how, long tookNs) {
        super.onTurn(how, tookNs);
        boolean paused = frame.blocked && frame.turn.isOver();
        if ((how == Turn.HELD_BACK || paused) && heldBackSinceNs == 0) {
            heldBackSinceNs = clock.nowNs() - tookNs;
        }
        if (how == Turn.BUSY && !paused && !continues) {
            limit.onTurn(full, tookNs);
        }
    }

    @Override
    protected long inputWatermark() {
        if (times.none()) {
            return Batch.NO_WATERMARK;
        }
        countHeldBack();
        long least = times.watermark(clock.nowNs());
        if (least == Long.MAX_VALUE && !over()) {
            least = Batch.IDLE; // splits may still be discovered
        }
        long held = acked == null ? Long.MAX_VALUE : acked.sender().watermark();
        return least == Batch.IDLE && held != Long.MAX_VALUE ? held : Math.min(least, held);
    }

    @Override
    public long nextDueNs() {
        long first = super.nextDueNs();
        for (OpenSplit split : rotation.open()) {
            first = rotation.waits(split) ? first : earlier(first, split.reader.nextDueNs());
        }
        return acked == null ? first : earlier(first, acked.pending().nextTimeoutNs());
    }

    /** Not if each record has its due time. */
    @Override
    public boolean polled() {
        for (OpenSplit split : rotation.open()) {
            if (rotation.waits(split) || split.reader.nextDueNs() == 0) {
                return true;
            }
        }
        return rotation.open().isEmpty();
    }

    @Override
    protected boolean inputCancelled() {
        return cancelled;
    }

    @Override
    protected void closeInput() throws Exception {
        FailureHistory failureHistory = reading.failureHistory();
        rotation.ended()
                .forEach((number, at) -> failureHistory.read(splits.operator(), splits.name(number), at.position()));
        rotation.open().forEach(each -> failureHistory.read(splits.operator(), each.name, each.reader.position()));
        rotation.closeAll();
        if (alignment != null) {
            alignment.end();
        }
        if (acked != null) {
            acked.tracker().close();
        }
    }

    @Override
    protected void onInputSafe(long completed) {
        if (acked != null) {
            acked.confirmations().onCompleted(completed);
        }
        if (live != null) {
            live.onSafe(completed);
        }
    }

    @Override
    protected void releaseInput() throws Exception {
        if (acked != null) {
            acked.confirmations().forgetReaders();
        }
        rotation.closeConfirmed();
        if (live != null) {
            live.close();
        }
    }

    @Override
    public long queueDepth() {
        return 0;
    }
}
