// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BackgroundReader;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConfirmedReader;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Fetcher;
import io.thalweg.api.connector.LiveReader;
import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.SavedPosition;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.operator.BadRecordException;
import io.thalweg.api.operator.ConnectionReports;
import io.thalweg.api.stats.InputStats;
import io.thalweg.flink.report.AllOpened;
import io.thalweg.flink.report.LatestInput;
import io.thalweg.flink.report.OperatorInfo;
import io.thalweg.flink.report.Reports;
import io.thalweg.flink.report.StageFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.RichSourceReaderContext;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.clock.SystemClock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the splits of one task side by side, a few records of each in turn, so that the task handles its mailbox
 * (checkpoints, timers) often. Begins when all its splits are known, because their watermarks count from the start.
 */
final class SplitsReader implements SourceReader<Object, Split>, SourceContext {
    /** How often a task reports its watermark, if others wait for it. */
    static final long TELL_EVERY_MS = 50;

    private static final int RECORDS_A_TURN = 64;
    private static final long LEAST_WAIT_NS = 50_000;
    private static final long LONGEST_WAIT_NS = 1_000_000;

    /** Even a reader that wakes the task is polled after this time. */
    private static final long LONGEST_WAIT_WOKEN_NS = 20_000_000;

    private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

    private final Source<Object> source;
    private final OperatorInfo place;
    private final SplitSource.Restoring restoring;
    private final int task;
    private final RichSourceReaderContext context;
    private final RuntimeContext runtime;
    private final Reports reports;
    private final LongCounter passed;
    private final ConnectionReports connections;
    private final LatestInput input = new LatestInput();

    /** 1 until the input has ended. */
    private final LongCounter reading = new LongCounter(1);

    private final Counter metered;
    private final CurrentRecord currentRecord = CurrentRecord.ofThread();
    private final List<Split> splits = new ArrayList<>();
    private final List<Open> open = new ArrayList<>();

    /** Those of a restored job until it begins, by index. */
    private final Map<Integer, Open> early = new TreeMap<>();

    private volatile CompletableFuture<Void> available = new CompletableFuture<>();

    /** A reader has woken the task since it last polled. */
    private volatile boolean woken;

    /** Null if each split has a reader of its own. */
    private @Nullable Fetcher<Object> fetcher;

    /** Null before the first record is asked for. */
    private @Nullable AlignedTask aligned;

    private boolean moreMayCome;
    private boolean complete;

    /** The input ends at the current positions. */
    private boolean unwanted;

    private final boolean mayCease;
    private boolean toldRead;
    private boolean started;
    private boolean begun;
    private boolean toldEnd;
    private int turn;

    SplitsReader(
            Source<Object> source,
            OperatorInfo place,
            SplitSource.Restoring restoring,
            boolean mayCease,
            RichSourceReaderContext context) {
        this.context = context;
        this.mayCease = mayCease;
        this.source = source;
        this.place = place;
        this.restoring = restoring;
        task = context.getIndexOfSubtask();
        runtime = context.getRuntimeContext();
        reports = new Reports(place, runtime);
        metered = context.metricGroup().getIOMetricGroup().getNumRecordsInCounter();
        passed = reports.passing(runtime, metered);
        connections = reports.connections();
        runtime.addAccumulator(Reports.INPUT + Reports.nameOf(place.operator(), task), input);
        runtime.addAccumulator(Reports.READING + place.operator(), reading);
    }

    /** A split that is being read. */
    private static final class Open {
        final int index;
        final Split split;
        final SplitReader<Object> reader;
        long read;
        boolean ended;

        Open(int index, Split split, SplitReader<Object> reader) {
            this.index = index;
            this.split = split;
            this.reader = reader;
            read = split.read();
        }
    }

    @Override
    public void start() {
        started = true;
        AllOpened all = restoring.allOpened();
        if (all != null) { // splits are assigned without a request
            try {
                all.opened(runtime, place.operator());
            } catch (IOException e) {
                throw new StageFailure(place.describe(task) + ": " + StageFailure.words(e), e);
            }
        }
    }

    /**
     * Opens the splits in the checkpoint before sinks change their outputs, since they may have changed; none that blocks while it opens.
     * Flink registers the task only after that, and so sends it no event that would be lost, which would hide why it fails.
     */
    private void openRestored() throws Exception {
        checkSplits();
        if (source instanceof LiveSource<Object> || source.blocking()) {
            return;
        }
        for (int i = 0; i < splits.size(); i++) {
            if (!splits.get(i).ended()) {
                early.put(i, new Open(i, splits.get(i), reader(splits.get(i))));
            }
        }
    }

    @Override
    public void addSplits(List<Split> more) {
        for (Split split : more) {
            splits.add(split);
            if (begun) {
                currentRecord.times().forEach(CurrentRecord.Times::add);
                try {
                    open.add(new Open(splits.size() - 1, split, reader(split)));
                } catch (Exception e) {
                    throw failure(split.name(), 0, e);
                }
            }
        }
        if (begun) {
            wakeUp();
        }
        if (!started && restoring.allOpened() != null) {
            try {
                openRestored();
            } catch (StageFailure e) {
                throw e;
            } catch (Exception e) {
                throw new StageFailure(place.describe(task) + ": " + StageFailure.words(e), e);
            }
        }
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        if (event instanceof AllSplitsKnownEvent) {
            moreMayCome = true;
            notifyNoMoreSplits();
        } else if (event instanceof EndInputEvent) {
            unwanted = true;
            available.complete(null);
        } else if (event instanceof ComplaintEvent complaint) {
            warn(complaint.line());
        } else if (event instanceof SlowestWatermarkEvent reached && aligned != null) {
            aligned.onReached(reached);
            wakeUp();
        }
    }

    @Override
    public void notifyNoMoreSplits() {
        complete = true;
        available.complete(null);
    }

    /** Opens all splits, each at its restored position. */
    private void begin() throws Exception {
        begun = true;
        checkSplits();
        if (source instanceof LiveSource<Object> live) {
            fetcher = new Fetcher<>("thalweg-source-" + place.operator() + "[" + task + "]", live, null, this);
        }
        for (CurrentRecord.Times times : currentRecord.times()) {
            times.splits(splits.size(), moreMayCome);
        }
        aligned = new AlignedTask(context, currentRecord.times(), nowNs());
        for (int i = 0; i < splits.size(); i++) {
            Split split = splits.get(i);
            passed.add(split.read());
            for (CurrentRecord.Times times : currentRecord.times()) {
                Long reached = split.watermarks().get(times.name());
                if (reached != null) {
                    times.restore(i, reached);
                }
                if (split.ended()) {
                    times.ended(i);
                }
            }
            if (!split.ended()) {
                Open before = early.remove(i);
                open.add(before == null ? new Open(i, split, reader(split)) : before);
            }
        }
    }

    private void checkSplits() throws Exception {
        List<String> known = splits.stream()
                .filter(split -> split.at() != null && !split.found())
                .map(Split::name)
                .toList();
        try {
            source.checkSplits(known);
        } catch (ConnectorException e) {
            throw failure(
                    String.valueOf(known.get(0)),
                    0,
                    new ConnectorException(
                            e.getMessage()
                                    + "; restore the original input, or read the new one from its beginning with"
                                    + " --discard-state '" + place.operator() + "'",
                            e));
        }
    }

    private SplitReader<Object> reader(Split split) throws Exception {
        try {
            if (fetcher != null) {
                return fetcher.read(split.name(), split.at(), reader -> add(reader, split));
            }
            if (source.blocking()) {
                Codec<Object> copies = source.reusesRecords() ? source.type().codec() : null;
                return new BackgroundReader(
                        "thalweg-source-" + split.name(), own -> openAt(split, own), copies, this, from(split));
            }
            return openAt(split, this);
        } catch (StageFailure e) {
            throw e;
        } catch (Exception e) {
            throw failure(split.name(), 0, e);
        }
    }

    private static SavedPosition from(Split split) {
        SavedPosition at = split.at();
        return at == null ? new SavedPosition(Fetcher.NOT_BEGUN, new byte[0]) : at;
    }

    private void add(LiveReader<Object> reader, Split split) throws Exception {
        SavedPosition at = split.at();
        if (at == null) {
            reader.add(split.name());
        } else if (split.found()) {
            reader.addFound(split.name());
        } else {
            resume(at, Fetcher.resuming(reader, split.name()), split);
        }
    }

    private void resume(SavedPosition at, SplitReader<Object> reader, Split split) throws Exception {
        at.resume(reader, place.topology(), place.operator(), split.name(), restoring.acceptChanged());
    }

    private SplitReader<Object> openAt(Split split, SourceContext context) throws Exception {
        SplitReader<Object> reader = source.open(split.name(), context);
        if (restoring.checkpoints() && reader instanceof ConfirmedReader<?>) {
            reader.close();
            throw new UnsupportedOperationException(
                    "its ConfirmedReader needs an ack for each record, which Flink does not"
                            + " give; run it embedded, or without a guarantee");
        }
        SavedPosition at = split.at();
        if (at != null) {
            try {
                resume(at, reader, split);
            } catch (Exception e) {
                reader.close();
                throw e;
            }
        }
        return reader;
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Object> output) throws Exception {
        if (unwanted) {
            return end();
        }
        if (!complete) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        woken = false;
        if (!begun) {
            begin();
        }
        AlignedTask alignment = aligned;
        if (alignment != null) {
            alignment.look(nowNs());
        }
        for (int tried = open.size(); tried > 0; tried--) {
            turn = turn + 1 < open.size() ? turn + 1 : 0;
            if (!waits(open.get(turn)) && read(open.get(turn), output)) {
                return InputStatus.MORE_AVAILABLE;
            }
        }
        check();
        return allRead() && (alignment == null || alignment.end()) && mayEnd() ? end() : InputStatus.NOTHING_AVAILABLE;
    }

    private boolean allRead() {
        return open.isEmpty() && !moreMayCome;
    }

    /** False until the coordinator knows that the reader is at its end, if it might still send events. */
    private boolean mayEnd() {
        if (mayCease && !toldRead) {
            toldRead = true;
            context.sendSourceEventToCoordinator(new EndReachedEvent());
        }
        return !mayCease || unwanted;
    }

    /** Throws the failure of a reader, even if the task has no split. */
    private void check() {
        if (fetcher != null && open.isEmpty()) {
            try {
                fetcher.found();
            } catch (Exception e) {
                throw new StageFailure(place.describe(task) + ": " + StageFailure.words(e), e);
            }
        }
    }

    private boolean waits(Open split) {
        return aligned != null && aligned.holds(split.index);
    }

    private InputStatus end() {
        if (!toldEnd) {
            toldEnd = true;
            reading.add(-1);
        }
        return InputStatus.END_OF_INPUT;
    }

    /** Reads some records of a split; false if there was none. */
    private boolean read(Open from, ReaderOutput<Object> output) throws Exception {
        currentRecord.reads(from.index, from.split.name(), from.reader);
        int records = 0;
        try {
            while (records < RECORDS_A_TURN && !currentRecord.ahead) {
                Object value = poll(from);
                if (value == null) {
                    return records > 0 || from.ended;
                }
                output.collect(value);
                records++;
            }
            return true;
        } finally {
            from.read += records;
            metered.inc(records);
            if (from.ended) {
                splits.set(from.index, progress(from, true));
            }
        }
    }

    /** The next record, or null if there is none now; closes a split that has reached its end. */
    private @Nullable Object poll(Open from) throws Exception {
        SplitReader<Object> reader = from.reader;
        while (true) {
            try {
                Object value = reader.poll();
                if (value == null && reader.finished()) {
                    end(from);
                }
                return value;
            } catch (BadRecordException e) {
                reports.bad(BadRecord.of(from.split.name(), reader.line(), reader.recordOffset(), e));
            } catch (StageFailure e) {
                throw e;
            } catch (Exception e) {
                throw failure(from.split.name(), reader.recordOffset(), e);
            }
        }
    }

    private void end(Open ended) throws Exception {
        ended.ended = true;
        open.remove(ended);
        for (CurrentRecord.Times times : currentRecord.times()) {
            times.ended(ended.index);
        }
        ended.reader.close();
    }

    /** The progress of a split; its position is unknown until something was read, and then it is opened as before. */
    private Split progress(Open of, boolean ended) throws Exception {
        Map<String, Long> watermarks = new TreeMap<>();
        for (CurrentRecord.Times times : currentRecord.times()) {
            watermarks.put(times.name(), times.watermark(of.index));
        }
        return new Split(
                of.split.number(),
                of.split.name(),
                of.reader.position() == Fetcher.NOT_BEGUN ? null : at(of, ended),
                of.read,
                ended,
                watermarks);
    }

    /** The position of a split; without a fingerprint if it has ended, because its reader is closed. */
    private SavedPosition at(Open of, boolean ended) throws Exception {
        return ended || !restoring.checkpoints()
                ? new SavedPosition(of.reader.position(), new byte[0])
                : SavedPosition.of(of.reader);
    }

    @Override
    public List<Split> snapshotState(long checkpoint) {
        List<Split> now = new ArrayList<>(splits);
        for (Open each : open) {
            try {
                now.set(each.index, progress(each, false));
            } catch (Exception e) {
                throw failure(each.split.name(), each.reader.recordOffset(), e);
            }
        }
        if (fetcher != null) {
            Map<String, Long> positions = new TreeMap<>();
            for (Split split : now) {
                SavedPosition at = split.at();
                if (at != null) {
                    positions.put(split.name(), at.position());
                }
            }
            fetcher.onSaved(checkpoint, positions);
        }
        return now;
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
        if (fetcher != null) {
            fetcher.onSafe(checkpoint);
        }
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        if (unwanted) {
            return NOW;
        }
        if (!complete) {
            return available;
        }
        if (allRead() && (aligned == null || aligned.mayEnd())) {
            available = available.isDone() ? new CompletableFuture<>() : available;
            return toldRead ? available : NOW;
        }
        long waitNs = fetcher == null ? LONGEST_WAIT_NS : LONGEST_WAIT_WOKEN_NS;
        for (Open each : open) {
            long dueNs = waits(each) ? 0 : each.reader.nextDueNs();
            waitNs = dueNs == 0 ? waitNs : Math.min(waitNs, dueNs - nowNs());
        }
        available = new CompletableFuture<>();
        if (woken) {
            return NOW;
        }
        return available.completeOnTimeout(null, Math.max(LEAST_WAIT_NS, waitNs), TimeUnit.NANOSECONDS);
    }

    @Override
    public void bad(BadRecord record) {
        reports.bad(record);
    }

    @Override
    public void warn(String message) {
        reports.warn(place.describe(task) + ": " + message);
    }

    @Override
    public long nowNs() {
        return SystemClock.getInstance().relativeTimeNanos();
    }

    @Override
    public boolean checkpoints() {
        return restoring.checkpoints();
    }

    @Override
    public String operator() {
        return place.operator();
    }

    @Override
    public void measured(InputStats now) {
        input.add(now);
    }

    @Override
    public ConnectionReports connections() {
        return connections;
    }

    @Override
    public void wakeUp() {
        woken = true;
        available.complete(null);
    }

    private StageFailure failure(String split, long offset, Throwable thrown) {
        return thrown instanceof StageFailure reported
                ? reported
                : new StageFailure(
                        place.describe(task) + ", split " + split + ", offset " + offset + ": "
                                + StageFailure.words(thrown),
                        thrown);
    }

    @Override
    public void close() {
        if (fetcher != null) {
            fetcher.close();
        }
        open.addAll(early.values());
        StageFailure first = null;
        for (Open each : open) {
            try {
                each.reader.close();
            } catch (Exception e) {
                StageFailure failed = failure(each.split.name(), each.reader.recordOffset(), e);
                if (first == null) {
                    first = failed;
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
