// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link LiveReader} on a thread of its own and passes what it fetches for each split to the task, through
 * {@link SplitReader}s that never block. For engines; all public methods are called by the task's thread.
 *
 * <p>Backpressure: a split with four batches waiting is paused until only one is left. So is each split of which a
 * batch waits or is being read, once all of them together need {@link LiveSource#readAheadBytes}, until half of that is read.
 *
 * @param <T> records
 */
public final class Fetcher<T> implements AutoCloseable {
    /** {@link SplitReader#position} of a split until its reader has said where it begins. */
    public static final long NOT_BEGUN = Long.MIN_VALUE;

    /** The same for a split that was discovered while the job ran. */
    public static final long FOUND = Long.MIN_VALUE + 1;

    private static final int BATCHES_AHEAD = 4;
    private static final int FEW_AHEAD = 1;
    private static final long LONGEST_FETCH_NS = 1_000_000_000L;

    /** So long a reader that was woken may take to come to its end. */
    private static final long CLOSING_MS = 3_000;

    /**
     * Work to be done on the reader's thread.
     *
     * @param <T> records
     */
    @FunctionalInterface
    public interface Step<T> {
        /**
         * Does the work.
         *
         * @throws Exception ends the reader
         */
        void run(LiveReader<T> reader) throws Exception;
    }

    /**
     * The task's share of the splits that are discovered while the job runs.
     *
     * @param known splits that are already being read
     * @param task number of this task
     * @param parallelism number of tasks
     * @param restored the known ones are those of a checkpoint: there may be others by now, which are looked for before anything is read
     */
    public record Share(List<String> known, int task, int parallelism, boolean restored) {}

    private final LiveSource<T> source;
    private final SourceContext context;
    private final @Nullable Share share;
    private final long discoveryNs;
    private final long mostBytes;
    private final Thread thread;

    /** Positions by checkpoint, until it is complete. The task's own. */
    private final TreeMap<Long, Map<String, Long>> saved = new TreeMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final List<Step<T>> steps = new ArrayList<>();
    private final Map<String, Long> confirms = new LinkedHashMap<>();
    private final List<String> found = new ArrayList<>();
    private final List<View> views = new ArrayList<>();

    /** Of batches that wait or are being read. */
    private long heldBytes;

    /** The bytes have reached their limit, and not come down to half of it since. */
    private boolean full;

    private @Nullable LiveReader<T> reader;
    private @Nullable Throwable failure;
    private boolean closed;
    private boolean over;

    // The reader's thread's own.
    private final Map<String, View> reading = new HashMap<>();

    /** Those of them that the reader was told to pause, and not to resume since. */
    private final Set<String> stopped = new HashSet<>();

    private final Set<String> known;
    private long lookedNs;
    private String complaint = "";

    /**
     * Starts the reader's thread.
     *
     * @param name of the thread
     * @param source opens the reader
     * @param share null if someone else discovers splits that appear while the job runs
     * @param context of the task
     */
    public Fetcher(String name, LiveSource<T> source, @Nullable Share share, SourceContext context) {
        this.source = source;
        this.share = share;
        this.context = context;
        mostBytes = source.readAheadBytes();
        discoveryNs = share == null ? 0 : source.discovery().toNanos();
        known = new HashSet<>(share == null ? List.of() : share.known());
        lookedNs = context.nowNs() - (share != null && share.restored() ? discoveryNs : 0);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A reader of one split, which has a fetcher to itself. */
    static <T> SplitReader<T> readOne(LiveSource<T> source, String split, SourceContext context) {
        Fetcher<T> fetcher = new Fetcher<>(source.name() + " reads " + split, source, null, context);
        return fetcher.new Alone(split);
    }

    // ---- the task's side

    /**
     * Starts reading a split.
     *
     * @param split name of the split
     * @param from where to continue; null to read from its beginning, or from where the source was told to start
     * @param add calls one of the methods of {@link LiveReader} that add a split
     * @return never blocks in {@link SplitReader#poll}
     */
    public SplitReader<T> read(String split, @Nullable SavedPosition from, Step<T> add) {
        View view = new View(split, from == null ? new SavedPosition(NOT_BEGUN, new byte[0]) : from);
        begin(view, add);
        return view;
    }

    /** Moves the reader of a split to a saved position, through the interface of a {@link SplitReader}. */
    public static <T> SplitReader<T> resuming(LiveReader<T> reader, String split) {
        return new SplitReader<>() {
            @Override
            public @Nullable String changed(byte[] fingerprint) throws Exception {
                return reader.changed(split, fingerprint);
            }

            @Override
            public void seek(long position) throws Exception {
                reader.addAt(split, position);
            }

            @Override
            public T poll() {
                throw new UnsupportedOperationException("it is not read here");
            }

            @Override
            public boolean finished() {
                return false;
            }

            @Override
            public long position() {
                return NOT_BEGUN;
            }
        };
    }

    /**
     * The splits that were discovered for this task since the last call.
     *
     * @throws Exception what ended the reader, if no split is left whose polling would throw it
     */
    public List<String> found() throws Exception {
        lock.lock();
        try {
            if (failure != null && views.stream().allMatch(View::finished)) {
                check(failure);
            }
            List<String> now = List.copyOf(found);
            found.clear();
            return now;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A checkpoint will hold these positions.
     *
     * @param checkpoint its number
     * @param positions by split
     */
    public void onSaved(long checkpoint, Map<String, Long> positions) {
        saved.put(checkpoint, Map.copyOf(positions));
    }

    /** All checkpoints up to this one are complete or were aborted: confirms their positions. */
    public void onSafe(long completed) {
        Map<Long, Map<String, Long>> safe = saved.headMap(completed, true);
        safe.values().forEach(positions -> positions.forEach(this::confirm));
        safe.clear();
    }

    /**
     * Confirms a position; see {@link LiveReader#confirm}. The reader is told within a second, and before it is closed.
     */
    public void confirm(String split, long position) {
        if (position <= FOUND) {
            return; // nothing was read
        }
        lock.lock();
        try {
            confirms.merge(split, position, Math::max);
        } finally {
            lock.unlock();
        }
    }

    /** Closes the reader and waits for it, for at most three seconds. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        wakeReader();
        lock.lock();
        try {
            long leftNs = TimeUnit.MILLISECONDS.toNanos(CLOSING_MS);
            while (!over && leftNs > 0) {
                leftNs = changed.awaitNanos(leftNs);
            }
            if (!over) {
                context.warn("the reader of source " + source.name() + " does not end");
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (!over) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void check(@Nullable Throwable thrown) throws Exception {
        if (thrown instanceof Exception exception) {
            throw exception;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
    }

    private void begin(View view, Step<T> add) {
        submit(opened -> {
            try {
                add.run(opened);
                reading.put(view.split, view);
            } catch (Exception e) {
                view.fail(e);
            }
        });
    }

    private void submit(Step<T> step) {
        lock.lock();
        try {
            steps.add(step);
        } finally {
            lock.unlock();
        }
        wakeReader();
    }

    private void resume(List<String> splits) {
        if (splits.isEmpty()) {
            return;
        }
        submit(opened -> {
            for (String split : splits) {
                if (!isPaused(split) && stopped.remove(split)) {
                    opened.resume(split);
                }
            }
        });
    }

    /** On the reader's thread: it may have been paused again since the task asked to resume it. */
    private boolean isPaused(String split) {
        View view = reading.get(split);
        lock.lock();
        try {
            return view != null && view.paused;
        } finally {
            lock.unlock();
        }
    }

    private void wakeReader() {
        LiveReader<T> opened;
        lock.lock();
        try {
            opened = reader;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (opened != null) {
            opened.wakeUp();
        }
    }

    /** What the task sees of a split. */
    private class View implements SplitReader<T> {
        final String split;
        private final SavedPosition from;

        // Guarded by the lock.
        private final Deque<RecordBatch<T>> waiting = new ArrayDeque<>();
        private long readBytes;
        private boolean paused;
        private @Nullable Exception refused;

        /** There may be something to take. */
        private volatile boolean any = true;

        /** A batch was taken and is not read to its end; changed by the task alone. */
        private boolean reads;

        // The task's own.
        private @Nullable RecordBatch<T> batch;
        private boolean finished;

        View(String split, SavedPosition from) {
            this.split = split;
            this.from = from;
            lock.lock();
            try {
                views.add(this);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public @Nullable T poll() throws Exception {
            while (!finished) {
                RecordBatch<T> current = batch;
                T value = current == null ? null : current.next();
                if (value != null) {
                    return value;
                }
                if (current != null && current.last()) {
                    finished = true;
                    letGo();
                } else if (!(any || reads) || !take()) {
                    return null;
                } else if (current == null && from.position() <= FOUND) {
                    context.wakeUp(); // first it is to be known where the split begins
                    return null;
                }
            }
            return null;
        }

        private boolean take() throws Exception {
            boolean taken;
            List<String> resumed;
            lock.lock();
            try {
                release();
                RecordBatch<T> next = waiting.poll();
                taken = next != null;
                if (next != null) {
                    batch = next;
                    reads = true;
                    readBytes = next.bytes();
                } else {
                    any = false;
                    check(refused);
                    check(failure);
                }
                resumed = resumed();
            } finally {
                lock.unlock();
            }
            resume(resumed);
            return taken;
        }

        /** The last batch is read. */
        private void letGo() {
            List<String> resumed;
            lock.lock();
            try {
                release();
                resumed = resumed();
            } finally {
                lock.unlock();
            }
            resume(resumed);
        }

        /** Called with the lock, as {@link #resumed} and {@link #holds}. */
        private void release() {
            heldBytes -= readBytes;
            readBytes = 0;
            reads = false;
        }

        /** The splits that are to continue, now that this one was read. */
        private List<String> resumed() {
            boolean room = full && heldBytes <= mostBytes / 2;
            full &= !room;
            List<String> resumed = new ArrayList<>();
            for (View view : room ? views : List.of(this)) {
                if (view.paused && view.waiting.size() <= FEW_AHEAD && !(full && view.holds())) {
                    view.paused = false;
                    resumed.add(view.split);
                }
            }
            return resumed;
        }

        private boolean holds() {
            return reads || !waiting.isEmpty();
        }

        /** Called on the reader's thread, as the next. */
        private void add(RecordBatch<T> next) {
            lock.lock();
            try {
                waiting.add(next);
                heldBytes += next.bytes();
                any = true;
            } finally {
                lock.unlock();
            }
        }

        private void fail(Exception thrown) {
            lock.lock();
            try {
                refused = thrown;
                any = true;
            } finally {
                lock.unlock();
            }
            context.wakeUp();
        }

        @Override
        public boolean finished() {
            return finished;
        }

        @Override
        public long position() {
            return batch == null ? from.position() : batch.position();
        }

        @Override
        public byte[] fingerprint() throws Exception {
            return batch == null ? from.fingerprint() : batch.fingerprint();
        }

        @Override
        public long recordOffset() {
            return batch != null ? batch.recordOffset() : from.position() > FOUND ? from.position() : 0;
        }

        @Override
        public long line() {
            return batch == null ? 0 : batch.line();
        }
    }

    /** A split that nobody shares the reader with; it is closed with its only reader, and may wait where it begins. */
    private final class Alone extends View {
        private boolean begun;
        private long begin = NOT_BEGUN;

        /** Of what was saved with that position. */
        private byte[] saved = {};

        Alone(String split) {
            super(split, new SavedPosition(NOT_BEGUN, new byte[0]));
        }

        @Override
        public @Nullable T poll() throws Exception {
            if (!begun) {
                begun = true;
                begin(this, opened -> opened.add(split));
            }
            return super.poll();
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) throws Exception {
            saved = fingerprint;
            String[] difference = new String[1];
            await(opened -> difference[0] = opened.changed(split, fingerprint));
            return difference[0];
        }

        @Override
        public void seek(long position) throws Exception {
            begun = true;
            begin = position;
            begin(this, position == NOT_BEGUN ? opened -> opened.add(split) : opened -> opened.addAt(split, position));
        }

        private void await(Step<T> step) throws Exception {
            boolean[] done = new boolean[1];
            Exception[] thrown = new Exception[1];
            submit(opened -> {
                try {
                    step.run(opened);
                } catch (Exception e) {
                    thrown[0] = e;
                }
                lock.lock();
                try {
                    done[0] = true;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
            });
            lock.lock();
            try {
                while (!done[0] && !over) {
                    changed.await();
                }
                check(failure);
            } finally {
                lock.unlock();
            }
            check(thrown[0]);
        }

        @Override
        public long position() {
            long position = super.position();
            return position == NOT_BEGUN ? begin : position;
        }

        @Override
        public byte[] fingerprint() throws Exception {
            return super.position() == NOT_BEGUN ? saved : super.fingerprint();
        }

        @Override
        public void close() {
            Fetcher.this.close();
        }
    }

    // ---- the reader's thread

    private void run() {
        Throwable thrown = null;
        try {
            LiveReader<T> opened = source.open(context);
            try {
                open(opened);
                while (goOn(opened)) {
                    readOn(opened);
                }
            } finally {
                opened.close();
            }
        } catch (Throwable e) {
            thrown = e;
        }
        lock.lock();
        try {
            failure = closed ? null : thrown;
            over = true;
            views.forEach(view -> view.any = true);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        context.wakeUp();
    }

    private void open(LiveReader<T> opened) {
        lock.lock();
        try {
            reader = opened;
        } finally {
            lock.unlock();
        }
    }

    /** Does what the task wants done; false if that is to end. */
    private boolean goOn(LiveReader<T> opened) throws Exception {
        List<Step<T>> now;
        Map<String, Long> safe;
        boolean end;
        lock.lock();
        try {
            now = List.copyOf(steps);
            steps.clear();
            safe = Map.copyOf(confirms);
            confirms.clear();
            end = closed;
        } finally {
            lock.unlock();
        }
        for (Map.Entry<String, Long> each : safe.entrySet()) {
            opened.confirm(each.getKey(), each.getValue());
        }
        for (Step<T> step : end ? List.<Step<T>>of() : now) {
            step.run(opened);
        }
        return !end;
    }

    private void readOn(LiveReader<T> opened) throws Exception {
        long waitNs = LONGEST_FETCH_NS;
        if (share != null && discoveryNs > 0) {
            long leftNs = lookedNs + discoveryNs - context.nowNs();
            if (leftNs <= 0) {
                look(share);
                leftNs = discoveryNs;
            }
            waitNs = Math.min(waitNs, leftNs);
        }
        if (reading.isEmpty()) {
            awaitStep(waitNs);
            return;
        }
        List<RecordBatch<T>> batches = opened.fetch(Duration.ofNanos(waitNs));
        for (RecordBatch<T> batch : batches) {
            View view = reading.get(batch.split());
            if (view == null) {
                throw new IllegalStateException("source " + source.name() + " handed over records of split '"
                        + batch.split() + "', which its reader was not given or has ended");
            }
            view.add(batch);
            if (batch.last()) {
                reading.remove(batch.split());
                stopped.remove(batch.split());
            }
        }
        for (String split : enough()) {
            if (stopped.add(split)) {
                opened.pause(split);
            }
        }
        if (!batches.isEmpty()) {
            context.wakeUp();
        }
    }

    /** The splits that are not to be fetched for now. */
    private List<String> enough() {
        lock.lock();
        try {
            full |= heldBytes >= mostBytes;
            List<String> paused = new ArrayList<>();
            for (View view : reading.values()) {
                if (!view.paused && (view.waiting.size() >= BATCHES_AHEAD || (full && view.holds()))) {
                    view.paused = true;
                    paused.add(view.split);
                }
            }
            return paused;
        } finally {
            lock.unlock();
        }
    }

    private void awaitStep(long waitNs) throws InterruptedException {
        lock.lock();
        try {
            long leftNs = waitNs;
            while (leftNs > 0 && steps.isEmpty() && !closed) {
                leftNs = changed.awaitNanos(leftNs);
            }
        } finally {
            lock.unlock();
        }
    }

    private void look(Share from) {
        lookedNs = context.nowNs();
        Set<String> fresh = new LinkedHashSet<>(); // known when all are told: who throws is asked again
        List<String> own = new ArrayList<>();
        try {
            for (String split : source.discover(from.parallelism())) {
                if (!known.contains(split)
                        && fresh.add(split)
                        && Math.floorMod(source.spread(split), from.parallelism()) == from.task()) {
                    own.add(split);
                }
            }
            known.addAll(fresh);
            complaint = "";
        } catch (Exception e) {
            String message = e instanceof ConnectorException ? String.valueOf(e.getMessage()) : e.toString();
            if (!message.equals(complaint)) {
                complaint = message;
                context.warn("cannot look for new splits of source " + source.name() + ": " + message
                        + "; it continues with those that it knows");
            }
            return;
        }
        if (!own.isEmpty()) {
            lock.lock();
            try {
                found.addAll(own);
            } finally {
                lock.unlock();
            }
            context.wakeUp();
        }
    }
}
