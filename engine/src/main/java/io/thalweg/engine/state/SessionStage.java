// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.operator.NullValueException;
import io.thalweg.engine.chain.Frame;
import io.thalweg.engine.chain.Receiver;
import io.thalweg.engine.chain.Stage;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Sessions: records of a key that follow each other within a gap. Which sessions a record joins must not depend on
 * which path was faster, so records are applied in the order of their stamps, each once the watermark has reached its
 * stamp: nothing with a lower stamp can come any more. A record joins the sessions it touches that are not over by its
 * stamp.
 */
public final class SessionStage implements Receiver, Stage {
    /** One session, or one record that waits to be applied (then its end is its own time + gap). */
    static final class Session {
        long start;
        long end;
        Object accumulator;
        boolean fired;
        final long stamp;

        Session(long start, long end, Object accumulator, long stamp) {
            this.start = start;
            this.end = end;
            this.accumulator = accumulator;
            this.stamp = stamp;
        }
    }

    static final class OfKey {
        static final Comparator<Session> BY_STAMP = Comparator.comparingLong(session -> session.stamp);
        static final Comparator<Session> BY_END = Comparator.comparingLong(session -> session.end);

        final Object key;
        final List<Session> sessions = new ArrayList<>(1);
        final PriorityQueue<Session> waiting = new PriorityQueue<>(BY_STAMP);
        long due = Long.MAX_VALUE;

        OfKey(Object key) {
            this.key = key;
        }
    }

    /** When a key is to be looked at; stale if the key is due earlier by now. */
    record Due(long at, OfKey key) {
        static PriorityQueue<Due> queue() {
            return new PriorityQueue<>(Comparator.comparingLong(Due::at));
        }
    }

    private final Windowing windowing;
    private final Frame frame;
    private final long gapMs;
    private final java.util.HashMap<Object, OfKey> keys = new java.util.HashMap<>();
    private final PriorityQueue<Due> dues = Due.queue();

    public SessionStage(Windowing windowing, long gapMs) {
        this.windowing = windowing;
        this.gapMs = gapMs;
        frame = windowing.frame();
    }

    @Override
    public String operator() {
        return windowing.operator();
    }

    @Override
    public void accept(Object value) throws Exception {
        Object k;
        try {
            k = windowing.key().apply(value);
            if (k == null) {
                throw NullValueException.ofKey(windowing.key(), value);
            }
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
            return;
        }
        if (windowing.timeless(value)) {
            return;
        }
        long end = frame.time + gapMs;
        if (end - 1 + windowing.latenessMs() <= frame.stamp) {
            windowing.late(value);
            return;
        }
        try {
            OfKey ofKey = keys.get(k);
            if (ofKey == null) {
                ofKey = new OfKey(
                        windowing.keyCopies() == null
                                ? k
                                : windowing.keyCopies().copy(k));
                keys.put(ofKey.key, ofKey);
            }
            Object accumulator = windowing.aggregate().create();
            windowing.adder().add(accumulator, 0, windowing.kept(value));
            ofKey.waiting.add(new Session(frame.time, end, accumulator, frame.stamp));
            lookAt(ofKey, frame.stamp);
        } catch (Throwable thrown) {
            frame.onThrown(windowing.operator(), thrown);
        }
    }

    private void lookAt(OfKey key, long at) {
        if (at < key.due) {
            key.due = at;
            dues.add(new Due(at, key));
        }
    }

    @Override
    public boolean advance(long watermark) throws Exception {
        while (!dues.isEmpty() && dues.peek().at() <= watermark) {
            if (frame.blocked) {
                return false;
            }
            Due due = dues.remove();
            if (due.at() == due.key().due) {
                due.key().due = Long.MAX_VALUE;
                advance(due.key(), watermark);
            }
        }
        return true;
    }

    private void advance(OfKey key, long watermark) throws Exception {
        while (!key.waiting.isEmpty() && key.waiting.peek().stamp <= watermark) {
            Session record = key.waiting.remove();
            fire(key, record.stamp);
            apply(key, record);
        }
        fire(key, watermark);
        long due = key.waiting.isEmpty() ? Long.MAX_VALUE : key.waiting.peek().stamp;
        for (Session session : key.sessions) {
            due = Math.min(due, session.end - 1 + (session.fired ? windowing.latenessMs() : 0));
        }
        if (key.sessions.isEmpty() && key.waiting.isEmpty()) {
            keys.remove(key.key);
        } else {
            lookAt(key, due);
        }
    }

    /** Emits the sessions that are over by {@code time} and forgets those that take no more records. */
    private void fire(OfKey key, long time) throws Exception {
        key.sessions.sort(OfKey.BY_END);
        for (Iterator<Session> each = key.sessions.iterator(); each.hasNext(); ) {
            Session session = each.next();
            if (!session.fired && session.end - 1 <= time) {
                session.fired = true;
                windowing.fire(key.key, session.start, session.end, session.accumulator);
            }
            if (session.end - 1 + windowing.latenessMs() <= time) {
                each.remove();
            }
        }
    }

    private void apply(OfKey key, Session record) throws Exception {
        Session merged = record;
        boolean joinsFired = false;
        for (Iterator<Session> each = key.sessions.iterator(); each.hasNext(); ) {
            Session session = each.next();
            boolean over = session.end - 1 + windowing.latenessMs() <= record.stamp;
            if (!over && session.start <= record.end && record.start <= session.end) {
                joinsFired |= session.fired;
                session.start = Math.min(session.start, merged.start);
                session.end = Math.max(session.end, merged.end);
                windowing.aggregate().merge(session.accumulator, merged.accumulator);
                merged = session;
                each.remove();
            }
        }
        merged.fired = false;
        key.sessions.add(merged);
        if (joinsFired && merged.end - 1 <= record.stamp) {
            merged.fired = true;
            windowing.emit(key.key, merged.start, merged.end, merged.accumulator, record.stamp);
        }
    }

    @Override
    public void save(TaskState to) {
        KeyedState state = windowing.state();
        to.declare(state.name(), state.format());
        for (OfKey key : keys.values()) {
            ByteWriter out = state.entry(key.key, to);
            write(key.sessions, out);
            write(key.waiting, out);
        }
    }

    private void write(Collection<Session> sessions, ByteWriter out) {
        out.writeVarLong(sessions.size());
        for (Session session : sessions) {
            out.writeVarLong(session.start);
            out.writeVarLong(session.end);
            out.writeLong(session.stamp);
            out.writeBoolean(session.fired);
            windowing.accumulators().encode(session.accumulator, out);
        }
    }

    @Override
    public void restore(Restored from) {
        KeyedState state = windowing.state();
        Codec<Object> accumulators = windowing.accumulators(from);
        for (SavedState.Piece piece : state.pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                OfKey ofKey = new OfKey(state.key(piece));
                keys.put(ofKey.key, ofKey);
                read(in, accumulators, ofKey.sessions);
                read(in, accumulators, ofKey.waiting);
                lookAt(ofKey, Long.MIN_VALUE);
            }
        }
    }

    private static void read(ByteReader in, Codec<Object> accumulators, Collection<Session> sessions) {
        long count = in.readVarLong();
        for (long i = 0; i < count; i++) {
            long start = in.readVarLong();
            long end = in.readVarLong();
            long stamp = in.readLong();
            boolean fired = in.readBoolean();
            Session session = new Session(start, end, accumulators.decode(in), stamp);
            session.fired = fired;
            sessions.add(session);
        }
    }

    @Override
    public long windowsOpen() {
        long open = 0;
        for (OfKey key : keys.values()) {
            open += key.waiting.size();
            for (Session session : key.sessions) {
                open += session.fired ? 0 : 1;
            }
        }
        return open;
    }
}
