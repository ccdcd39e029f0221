// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.api.stats.StateStats;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Specialiser;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import io.thalweg.run.time.SavedSession;
import io.thalweg.run.time.SessionRules;
import io.thalweg.run.time.WindowTimes;
import java.util.Arrays;

/**
 * Sessions: records of a key that follow each other within a gap, by the {@link SessionRules}. A record that waits to be
 * applied is a span of its own. Made by a specialiser.
 */
final class SessionStage implements Receiver, Stage {
    private static final int NONE = Spans.NONE;
    private static final int FIRST_CAPACITY = 16;
    private static final long LOWER = 0xFFFF_FFFFL;
    private static final long ONE_WAITS = 1L << 32;

    private final Windowing windowing;
    private final Frame frame;
    private final KeyHash hashes;
    private final MapFunction<Object, Object> key;
    private final Adder adder;
    private final long gapMs;
    private final long latenessMs;

    private final KeyNumbers keys = new KeyNumbers();

    /** By number of key: in the upper half how many of its records wait, in the lower the first of its sessions. */
    private long[] ofKeys = new long[FIRST_CAPACITY];

    private final Spans spans;

    /** Records by stamp. */
    private final InOrder waiting = new InOrder();

    /** Sessions by when to look at them. One may have grown since, or be gone. */
    private final TimedNumbers timers = new TimedNumbers();

    private long open;

    record Parts(Windowing windowing, long gapMs) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<SessionStage> type() {
            return SessionStage.class;
        }
    }

    SessionStage(Parts parts) {
        windowing = parts.windowing();
        gapMs = parts.gapMs();
        frame = windowing.frame();
        hashes = windowing.hashes();
        key = windowing.key();
        adder = windowing.adder();
        latenessMs = windowing.latenessMs();
        spans = new Spans(windowing.layout());
    }

    @Override
    public String operator() {
        return windowing.operator();
    }

    @Override
    public void accept(Object value) throws Exception {
        Object k;
        try {
            k = key.apply(value);
            if (k == null) {
                throw NullValueException.ofKey(key, value);
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (windowing.timeless(value)) {
            return;
        }
        long end = frame.time + gapMs;
        long closed = WindowTimes.closed(end, latenessMs);
        if (closed <= frame.stamp) {
            windowing.late(value, closed);
            return;
        }
        int record = NONE;
        try {
            record = spans.add(frame.time, end, frame.stamp);
            adder.add(spans, record, windowing.kept(value));
            await(record, numberOf(k));
        } catch (Throwable thrown) {
            if (record != NONE) {
                spans.remove(record);
            }
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    private int numberOf(Object k) {
        int hash = hashes.of(k);
        int number = keys.find(k, hash);
        return number >= 0
                ? number
                : addKey(
                        windowing.keyCopies() == null
                                ? k
                                : windowing.keyCopies().copy(k),
                        hash);
    }

    private int addKey(Object k, int hash) {
        int number = keys.add(k, hash);
        if (number == ofKeys.length) {
            ofKeys = Arrays.copyOf(ofKeys, 2 * number);
        }
        ofKeys[number] = NONE & LOWER;
        return number;
    }

    private int firstSession(int ofKey) {
        return (int) ofKeys[ofKey];
    }

    private void firstSession(int ofKey, int session) {
        ofKeys[ofKey] = (ofKeys[ofKey] & ~LOWER) | (session & LOWER);
    }

    private void await(int record, int ofKey) {
        spans.key(record, ofKey);
        ofKeys[ofKey] += ONE_WAITS;
        waiting.add(spans.due(record), record);
        open++;
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        while (true) {
            boolean record = !waiting.isEmpty() && waiting.firstTime() <= watermark;
            boolean session = !timers.isEmpty() && timers.firstTime() <= watermark;
            if (!record && !session) {
                return true;
            }
            if (frame.pauses()) {
                return false;
            }
            if (session && (!record || timers.firstTime() <= waiting.firstTime())) {
                lookAtFirst();
            } else {
                apply(waiting.removeFirst());
            }
        }
    }

    /** Emits a session if it is over, and forgets it if it takes no more records. */
    private void lookAtFirst() throws Exception {
        long now = timers.firstTime();
        int session = timers.first();
        timers.removeFirst();
        if (!spans.isSession(session) || spans.due(session) != now) {
            return;
        }
        long end = spans.end(session);
        if (WindowTimes.complete(end) <= now && !spans.fired(session)) {
            spans.fired(session, true);
            open--;
            windowing.fire(keyOf(session), spans.start(session), end, spans, session);
        }
        if (WindowTimes.closed(end, latenessMs) <= now) {
            forget(session);
        } else {
            lookAtLater(session);
        }
    }

    @SuppressWarnings("NullAway") // each span has a key
    private Object keyOf(int span) {
        return keys.key(spans.key(span));
    }

    private void lookAtLater(int session) {
        spans.due(session, due(session));
        timers.add(spans.due(session), session);
    }

    private long due(int session) {
        return WindowTimes.due(spans.end(session), spans.fired(session), latenessMs);
    }

    private void forget(int session) {
        int ofKey = spans.key(session);
        unlink(session, ofKey);
        if (ofKeys[ofKey] == (NONE & LOWER)) {
            keys.remove(ofKey);
        }
    }

    private void unlink(int session, int ofKey) {
        if (firstSession(ofKey) == session) {
            firstSession(ofKey, spans.next(session));
        } else {
            int before = firstSession(ofKey);
            while (spans.next(before) != session) {
                before = spans.next(before);
            }
            spans.next(before, spans.next(session));
        }
        spans.remove(session);
    }

    /** A record joins the sessions that it touches, and with it they become one; those over by its stamp are gone. */
    private void apply(int record) throws Exception {
        long start = spans.start(record);
        long end = spans.end(record);
        long stamp = spans.due(record);
        int ofKey = spans.key(record);
        ofKeys[ofKey] -= ONE_WAITS;
        int joined = NONE;
        boolean joinsFired = false;
        for (int session = firstSession(ofKey); session != NONE; ) {
            int next = spans.next(session);
            if (SessionRules.touch(start, end, spans.start(session), spans.end(session))) {
                joinsFired |= spans.fired(session);
                open -= spans.fired(session) ? 0 : 1;
                spans.merge(joined == NONE ? session : joined, joined == NONE ? record : session);
                if (joined == NONE) {
                    joined = session;
                } else {
                    unlink(session, ofKey);
                }
            }
            session = next;
        }
        if (joined == NONE) {
            begin(record);
            return;
        }
        spans.remove(record);
        spans.fired(joined, SessionRules.firesAgain(joinsFired, spans.end(joined), stamp));
        if (due(joined) < spans.due(joined)) {
            lookAtLater(joined);
        }
        if (spans.fired(joined)) {
            open--;
            windowing.emit(keyOf(joined), spans.start(joined), spans.end(joined), spans, joined, stamp);
        }
    }

    private void begin(int session) {
        int ofKey = spans.key(session);
        spans.makeSession(session);
        spans.next(session, firstSession(ofKey));
        firstSession(ofKey, session);
        lookAtLater(session);
    }

    @Override
    public void save(TaskState to) {
        KeyedState state = windowing.state();
        to.declare(state.name(), state.format());
        int[] firstWaiting = new int[keys.limit()];
        Arrays.fill(firstWaiting, NONE);
        for (int record : waiting.all()) {
            spans.next(record, firstWaiting[spans.key(record)]);
            firstWaiting[spans.key(record)] = record;
        }
        for (int number = 0; number < keys.limit(); number++) {
            Object k = keys.key(number);
            if (k != null) {
                ByteWriter out = state.entry(k, to);
                write(firstSession(number), out);
                write(firstWaiting[number], out);
            }
        }
    }

    private void write(int first, ByteWriter out) {
        long count = 0;
        for (int span = first; span != NONE; span = spans.next(span)) {
            count++;
        }
        out.writeVarLong(count);
        for (int span = first; span != NONE; span = spans.next(span)) {
            saved(span).write(out, windowing.accumulators());
        }
    }

    private SavedSession saved(int span) {
        return new SavedSession(
                spans.start(span), spans.end(span), spans.due(span), spans.fired(span), spans.read(span));
    }

    @Override
    public void restore(Restored from) {
        KeyedState state = windowing.state();
        Codec<Object> accumulators = windowing.accumulators(from);
        for (SavedState.Piece piece : state.pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                Object k = state.key(piece);
                int number = addKey(k, hashes.of(k));
                for (long left = in.readVarLong(); left > 0; left--) {
                    int session = read(in, accumulators, number);
                    open += spans.fired(session) ? 0 : 1;
                    begin(session);
                }
                for (long left = in.readVarLong(); left > 0; left--) {
                    await(read(in, accumulators, number), number);
                }
            }
        }
    }

    private int read(ByteReader in, Codec<Object> accumulators, int ofKey) {
        SavedSession saved = SavedSession.read(in, accumulators);
        int span = spans.restore(saved.start(), saved.end(), saved.stamp(), saved.accumulator());
        spans.fired(span, saved.fired());
        spans.key(span, ofKey);
        return span;
    }

    @Override
    public long windowsOpen() {
        return open;
    }

    @Override
    public StateStats stateStats() {
        long bytes = keys.bytes() + 8L * ofKeys.length + spans.bytes() + waiting.bytes() + timers.bytes();
        return new StateStats(windowing.operator(), keys.size(), bytes);
    }
}
