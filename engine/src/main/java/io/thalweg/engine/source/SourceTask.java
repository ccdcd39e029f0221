// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.engine.ack.Pending;
import io.thalweg.engine.chain.ChainTask;
import io.thalweg.engine.chain.OperatorException;
import io.thalweg.engine.chain.Setbacks;
import io.thalweg.engine.checkpoint.Barriers;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.engine.queue.Batch;
import io.thalweg.engine.work.Pieces;
import io.thalweg.engine.work.Turn;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A task at the source: reads its splits side by side, one turn each. */
public final class SourceTask extends ChainTask {
    private static final int FIRST_LIMIT = 256;
    private static final int GREATEST_LIMIT = 65_536;
    private static final int LEAST_LIMIT = 8;
    private static final long SHORT_TURN_NS = 200_000;
    private static final long LONG_TURN_NS = 1_000_000;

    /** Records that are due within this time are measured as one. */
    private static final long DUE_TOGETHER_NS = 50_000;

    /**
     * What a source task reads, and how.
     *
     * @param node the source's number in the graph
     * @param splits of the task; more are added when they are found
     * @param apart true to read on threads beside the task's
     * @param wakeUp runs the thread that the task is on, if it sleeps
     * @param guaranteedElsewhere another engine runs a job with a guarantee, and tells no reader that a record is done
     * @param acking null if the job is not acked
     * @param setbacks hears how far the task has read and what checkpoints hold of that
     * @param warnings hears what is told in one line
     * @param decoding null if readers decode by themselves
     */
    public record Reading(
            int node,
            String operator,
            Source<Object> source,
            LiveSplits.Sharing sharing,
            List<String> splits,
            PollLoop loop,
            List<TimeReader> times,
            int step,
            boolean apart,
            Runnable wakeUp,
            boolean guaranteedElsewhere,
            @Nullable Acking acking,
            @Nullable AckedLoop ackedLoop,
            Setbacks setbacks,
            Consumer<String> warnings,
            @Nullable Decoding decoding) {
        PollLoop polling() {
            return ackedLoop == null ? loop : ackedLoop;
        }
    }

    /**
     * How readers have pieces decoded.
     *
     * @param threads as {@link SourceContext#decodingThreads} has it
     */
    public record Decoding(Pieces pieces, int threads) {}

    private static final class Open {
        final int number;
        final String split;
        final SplitReader<Object> reader;

        /** The same, but gives no more once it is ahead of others. */
        final SplitReader<Object> polled;

        /** Records of one turn have one due time, so that few of a source that keeps a rate go together. */
        int pacedLimit = 1;

        Open(int number, String split, SplitReader<Object> reader, @Nullable Alignment alignment) {
            this.number = number;
            this.split = split;
            this.reader = reader;
            polled = alignment == null ? reader : alignment.until(reader);
        }

        /** Learns from what was polled how many records are due together. */
        void pace(int polled, long firstDueNs) {
            long nextDueNs = reader.nextDueNs();
            if (firstDueNs != 0 && nextDueNs != 0) {
                long apartNs = Math.max(1, (nextDueNs - firstDueNs) / polled);
                pacedLimit = (int) Math.max(1, Math.min(GREATEST_LIMIT, DUE_TOGETHER_NS / apartNs));
            }
        }
    }

    private final Reading reading;
    private final Agreement agreement;
    private final List<Open> open = new ArrayList<>();

    /** Null if no split waits for slower ones. */
    private final @Nullable Alignment alignment;

    /** Null if each split has a reader of its own. */
    private @Nullable LiveSplits live;

    private int turn;

    /** Records polled in one turn: found by looking at how long turns take. */
    private int limit;

    private boolean full;
    private boolean metBad;
    private boolean cancelled;

    /** 0 while input is taken. */
    private long heldBackSinceNs;

    /** The checkpoint whose barrier was sent last. */
    private long barrierSent;

    /** The last turn sent a barrier: this one reads, however soon the next is asked for. */
    private boolean toRead;

    /** Readers that stay open until all of their records are done. */
    private final List<SplitReader<Object>> confirmed = new ArrayList<>();

    /** Splits that have ended, by number: some of their records may have to be read again. */
    private final Map<Integer, SavedPosition> endedAt = new TreeMap<>();

    public SourceTask(Parts parts, Reading reading) {
        super(parts);
        this.reading = reading;
        agreement = parts.agreement();
        alignment = Alignment.of(reading.times(), parts.frame(), parts.counters());
        limit = reading.step() > 0 ? reading.step() : FIRST_LIMIT;
        Barriers checkpoints = checkpoints();
        barrierSent = checkpoints == null ? 0 : checkpoints.asked();
    }

    @Override
    protected void openInput() throws Exception {
        reading.times().forEach(time -> time.splits(reading.splits().size()));
        Map<String, SplitProgress> known =
                restored() == null ? Map.of() : SplitProgress.of(reading.operator(), restored());
        SourceContext context = new Context();
        if (reading.source() instanceof LiveSource<Object> source) {
            live = new LiveSplits(name() + " reads", reading.operator(), source, reading.sharing(), context);
        }
        for (int number = 0; number < reading.splits().size(); number++) {
            String split = reading.splits().get(number);
            SplitProgress progress = known.get(split);
            if (progress != null) {
                progress.tell(number, reading.times());
                if (progress.ended()) {
                    endedAt.put(number, progress.at());
                    continue;
                }
            }
            try {
                Open opened = new Open(number, split, open(split, progress, context), alignment);
                open.add(opened);
                Acking acking = reading.acking();
                if (acking != null && opened.reader instanceof ConfirmedReader<?> reader) {
                    acking.confirm(number, reader);
                    confirmed.add(opened.reader);
                }
            } catch (ConnectorException e) {
                throw e;
            } catch (Exception e) {
                throw new OperatorException(reading.operator(), split, 0, e);
            }
        }
    }

    private SplitReader<Object> open(String split, @Nullable SplitProgress progress, SourceContext context)
            throws Exception {
        if (live != null) {
            return live.open(split, progress, restored());
        }
        Source<Object> source = reading.source();
        return reading.apart()
                ? new BackgroundReader(
                        name() + " reads " + split,
                        own -> openAt(split, progress, own),
                        source.reusesRecords() ? source.type().codec() : null,
                        context,
                        progress == null ? SplitProgress.unknown(SplitProgress.NOT_BEGUN) : progress.at())
                : openAt(split, progress, context);
    }

    private SplitReader<Object> openAt(String split, @Nullable SplitProgress progress, SourceContext context)
            throws Exception {
        SplitReader<Object> reader = reading.source().open(split, context);
        Restored from = restored();
        if (from != null && progress != null && progress.position() != SplitProgress.NOT_BEGUN) {
            SavedState saved = from.saved();
            try {
                progress.at()
                        .resume(
                                reader,
                                saved.info().topology(),
                                reading.operator(),
                                split,
                                saved.acceptsChangedInput());
            } catch (Exception e) {
                reader.close();
                throw e;
            }
        }
        if (reading.guaranteedElsewhere() && reader instanceof ConfirmedReader<?>) {
            reader.close();
            throw new ConnectorException(
                    "source '" + reading.operator() + "' wants to hear of each record that is done,"
                            + " and the engine that the job is on does not say; run it embedded, or without a guarantee");
        }
        return reader;
    }

    private final class Context implements SourceContext {
        private final boolean checkpoints = SourceTask.this.checkpoints() != null;

        @Override
        public void bad(BadRecord record) {
            frame.unread(reading.operator(), record);
        }

        @Override
        public void warn(String message) {
            SourceTask.this.warn(message);
        }

        @Override
        public long nowNs() {
            return clock.nowNs();
        }

        @Override
        public boolean checkpoints() {
            return checkpoints;
        }

        @Override
        public int decodingThreads() {
            Decoding decoding = reading.decoding();
            return decoding == null ? 1 : decoding.threads();
        }

        @Override
        public void decode(Runnable piece) {
            Decoding decoding = reading.decoding();
            if (decoding == null) {
                SourceContext.super.decode(piece);
            } else {
                decoding.pieces().add(piece);
            }
        }

        @Override
        public void wakeUp() {
            VarHandle.fullFence(); // a worker that is about to sleep either sees the record or is seen
            reading.wakeUp().run();
        }
    }

    /** Those who report may be what holds back this task's outputs. */
    @Override
    protected void listen() {
        Acking acking = reading.acking();
        if (acking != null) {
            acking.listen();
        }
    }

    @Override
    protected Turn takeInput() throws Exception {
        if (heldBackSinceNs != 0) {
            long forNs = clock.nowNs() - heldBackSinceNs;
            reading.times().forEach(time -> time.notRead(forNs));
            heldBackSinceNs = 0;
        }
        if (alignment != null) {
            alignment.look(clock.nowNs());
        }
        Acking acking = reading.acking();
        boolean sentAgain = acking != null && lookAfter(acking);
        if (live != null) {
            lookAfter(live);
        }
        if (acking != null && agreement.cancelled() && !agreement.dropping() && acking.waitsForOpen()) {
            return sentAgain ? Turn.BUSY : Turn.WAITING; // who stops in good order repeats nothing
        }
        Barriers checkpoints = checkpoints();
        if (checkpoints != null && checkpoints.asked() > barrierSent && !toRead) {
            barrierSent = checkpoints.asked();
            toRead = true;
            onBarrier(barrierSent, clock.nowNs());
            return Turn.BUSY;
        }
        toRead = false;
        if (checkpoints != null && barrierSent >= checkpoints.stopAt()) {
            cancelled = true; // even if the input has ended meanwhile: what comes of that belongs behind the checkpoint
            return Turn.DONE;
        }
        if (agreement.cancelled() && (checkpoints == null || !over())) {
            cancelled = checkpoints == null;
            return cancelled ? Turn.DONE : Turn.WAITING; // for the last checkpoint to be asked for
        }
        boolean over = over() || agreement.draining(reading.node());
        if (over && (acking == null || acking.open() == 0)) {
            return Turn.DONE;
        }
        if (over || open.isEmpty() || frame.blocked || (acking != null && acking.room() == 0)) {
            return sentAgain ? Turn.BUSY : Turn.WAITING;
        }
        boolean read = false;
        for (int left = open.size(); left > 0 && !read && !frame.blocked; left--) {
            Open split = next(clock.nowNs());
            if (split == null) {
                break;
            }
            read = read(split);
        }
        return read || sentAgain ? Turn.BUSY : Turn.WAITING;
    }

    /** Reads some records of a split; false if there was nothing. */
    private boolean read(Open split) throws Exception {
        Acking acking = reading.acking();
        long nowNs = clock.nowNs();
        frame.split = split.split;
        frame.offset = split.reader.position();
        frame.reader = split.reader;
        long dueNs = split.reader.nextDueNs();
        frame.dueNs = dueNs == 0 ? nowNs : dueNs;
        for (TimeReader time : reading.times()) {
            time.begin(split.number);
        }
        int most = dueNs == 0 ? limit : Math.min(limit, split.pacedLimit);
        if (acking != null) {
            most = Math.min(most, acking.room());
            acking.begin(split.number, nowNs);
        }
        metBad = false;
        int polled = poll(split, most);
        full = polled == most;
        boolean ended = !full && !metBad && !frame.blocked && !frame.ahead && split.reader.finished();
        for (TimeReader time : reading.times()) {
            time.end(ended, nowNs);
        }
        if (acking != null) {
            acking.end();
        }
        if (ended) {
            endedAt.put(split.number, at(split));
            open.remove(turn);
            if (!confirmed.contains(split.reader)) {
                split.reader.close();
            }
        }
        if (polled > 0) {
            onInput(polled, frame.dueNs);
            split.pace(polled, dueNs);
        }
        return polled > 0 || ended || metBad;
    }

    /** The next split in turn that may be read; null if all wait for slower ones. */
    private @Nullable Open next(long nowNs) {
        for (int left = open.size(); left > 0; left--) {
            turn = turn + 1 >= open.size() ? 0 : turn + 1;
            if (!waits(open.get(turn))) {
                if (alignment != null) {
                    alignment.tellStalled(reading.splits(), nowNs, this::warn);
                }
                return open.get(turn);
            }
        }
        if (alignment != null) {
            alignment.await();
        }
        return null;
    }

    private boolean waits(Open split) {
        return alignment != null && alignment.holds(split.number);
    }

    private void warn(String message) {
        reading.warnings().accept("task " + name() + ": " + message);
    }

    /** Nothing will come any more. */
    private boolean over() {
        return open.isEmpty() && (live == null || !live.looks());
    }

    /** Reads splits that were found, and says what is done. */
    private void lookAfter(LiveSplits splits) throws OperatorException {
        for (String split : splits.found()) {
            int number = reading.splits().size();
            reading.splits().add(split);
            reading.times().forEach(time -> time.add(clock.nowNs()));
            open.add(new Open(number, split, splits.openFound(split), alignment));
        }
        Acking acking = reading.acking();
        if (acking != null && acking.confirmsAtOnce()) {
            endedAt.forEach((number, at) -> confirm(splits, acking, number, at.position()));
            open.forEach(each -> confirm(splits, acking, each.number, each.reader.position()));
        }
    }

    private void confirm(LiveSplits splits, Acking acking, int number, long read) {
        Pending.Sent oldest = acking.oldest(number);
        splits.confirm(reading.splits().get(number), oldest == null ? read : oldest.position());
    }

    /** Hears what became of records, and sends those again that failed; true if there were any. */
    private boolean lookAfter(Acking acking) throws Exception {
        acking.sentAgain(); // what the last one gave rise to is through
        acking.look();
        boolean any = false;
        AckedLoop loop = reading.ackedLoop();
        for (Pending.Sent record = blockedOr(acking); record != null && loop != null; record = blockedOr(acking)) {
            loop.again(record);
            any = true;
        }
        acking.end();
        return any;
    }

    private Pending.@Nullable Sent blockedOr(Acking acking) {
        return frame.blocked ? null : acking.again();
    }

    private int poll(Open split, int most) throws Exception {
        try {
            return reading.polling().run(split.polled, most);
        } catch (OperatorException e) {
            throw e.at(split.split, split.reader.recordOffset());
        } catch (ConnectorException e) {
            throw e;
        } catch (BadRecordException e) {
            metBad = true;
            frame.unread(reading.operator(), String.valueOf(e.getMessage()), e.bytes());
            return reading.polling().done();
        } catch (Exception e) {
            throw new OperatorException(reading.operator(), split.split, split.reader.recordOffset(), e);
        }
    }

    @Override
    protected void saveInput(TaskState to) throws Exception {
        List<SplitProgress> all = new ArrayList<>();
        endedAt.forEach((number, position) -> all.add(progress(number, true, position)));
        for (Open each : open) {
            all.add(progress(each.number, false, at(each)));
        }
        SplitProgress.save(reading.operator(), all, to);
        all.forEach(
                each -> reading.setbacks().saved(to.checkpoint(), reading.operator(), each.split(), each.position()));
        Acking acking = reading.acking();
        Barriers checkpoints = checkpoints();
        if (checkpoints == null) {
            return;
        }
        long belongsTo = to.checkpoint() == 0 ? checkpoints.asked() + 1 : to.checkpoint();
        if (acking != null) {
            acking.onSaved(belongsTo);
        }
        if (live != null) {
            live.onSaved(belongsTo, all);
        }
    }

    /** Where the reader of a split stands, with what it knows if that will be compared. */
    private SavedPosition at(Open split) throws Exception {
        if (checkpoints() == null) {
            return SplitProgress.unknown(split.reader.position());
        }
        try {
            return SavedPosition.of(split.reader);
        } catch (ConnectorException e) {
            throw e;
        } catch (Exception e) {
            throw new OperatorException(reading.operator(), split.split, split.reader.recordOffset(), e);
        }
    }

    private SplitProgress progress(int number, boolean ended, SavedPosition at) {
        Map<String, Long> watermarks = new HashMap<>();
        Acking acking = reading.acking();
        Pending.Sent oldest = acking == null ? null : acking.oldest(number);
        if (oldest != null) { // it and what followed it is read again
            for (int i = 0; i < reading.times().size(); i++) {
                watermarks.put(reading.times().get(i).operator(), oldest.watermarks()[i]);
            }
            SavedPosition again = new SavedPosition(oldest.position(), at.fingerprint());
            return new SplitProgress(reading.splits().get(number), false, again, watermarks);
        }
        reading.times().forEach(time -> watermarks.put(time.operator(), time.watermarkOf(number)));
        return new SplitProgress(reading.splits().get(number), ended, at, watermarks);
    }

    @Override
    public void onTurn(Turn how, long tookNs) {
        super.onTurn(how, tookNs);
        if (how == Turn.HELD_BACK && heldBackSinceNs == 0) {
            heldBackSinceNs = clock.nowNs() - tookNs;
        }
        if (reading.step() == 0 && how == Turn.BUSY) {
            if (full && tookNs < SHORT_TURN_NS) {
                limit = Math.min(GREATEST_LIMIT, limit * 2);
            } else if (tookNs > LONG_TURN_NS) {
                limit = Math.max(LEAST_LIMIT, limit / 2);
            }
        }
    }

    @Override
    protected long inputWatermark() {
        long least = Long.MAX_VALUE;
        for (TimeReader time : reading.times()) {
            least = Math.min(least, time.watermark(clock.nowNs()));
        }
        if (reading.times().isEmpty()) {
            return Batch.NO_WATERMARK;
        }
        if (least == Long.MAX_VALUE && !over()) {
            least = Batch.IDLE; // splits may be found
        }
        Acking acking = reading.acking();
        long held = acking == null ? Long.MAX_VALUE : acking.watermark();
        return least == Batch.IDLE && held != Long.MAX_VALUE ? held : Math.min(least, held);
    }

    @Override
    public long nextDueNs() {
        long first = super.nextDueNs();
        for (Open split : open) {
            first = waits(split) ? first : earlier(first, split.reader.nextDueNs());
        }
        Acking acking = reading.acking();
        return acking == null ? first : earlier(first, acking.nextTimeoutNs());
    }

    @Override
    protected boolean inputCancelled() {
        return cancelled;
    }

    @Override
    protected void closeInput() throws Exception {
        endedAt.forEach((number, position) ->
                reading.setbacks().read(reading.operator(), reading.splits().get(number), position.position()));
        for (Open split : open) {
            reading.setbacks().read(reading.operator(), split.split, split.reader.position());
            if (!confirmed.contains(split.reader)) {
                split.reader.close();
            }
        }
        open.clear();
        if (alignment != null) {
            alignment.end();
        }
        Acking acking = reading.acking();
        if (acking != null) {
            acking.close();
        }
    }

    @Override
    protected void onInputSafe(long completed) {
        Acking acking = reading.acking();
        if (acking != null) {
            acking.tellUpTo(completed);
        }
        if (live != null) {
            live.onSafe(completed);
        }
    }

    @Override
    protected void releaseInput() throws Exception {
        Acking acking = reading.acking();
        if (acking != null) {
            acking.forgetReaders();
        }
        for (SplitReader<Object> reader : confirmed) {
            reader.close();
        }
        confirmed.clear();
        if (live != null) {
            live.close();
        }
    }

    @Override
    public long queueDepth() {
        return 0;
    }
}
