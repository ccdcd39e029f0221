// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.stage;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.flink.record.StableKey;
import io.thalweg.flink.stage.Sessions.Session;
import io.thalweg.run.time.SessionRules;
import io.thalweg.run.time.WindowTimes;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Set;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** Sessions: records of a key that follow each other within a gap, by the {@link SessionRules}. */
public final class SessionWindows extends Windowed implements Triggerable<StableKey, VoidNamespace> {
    private static final long serialVersionUID = 1L;
    private static final Comparator<Session> BY_END = Comparator.comparingLong(session -> session.end);

    private final long gapMs;
    private transient @Nullable ValueState<Sessions> keys;
    private transient @Nullable InternalTimerService<VoidNamespace> timers;

    public SessionWindows(
            StageSettings settings,
            long gapMs,
            Aggregate<Object, Object, Object> aggregate,
            long latenessMs,
            @Nullable OutputTag<Object> lateTo) {
        super(settings, aggregate, latenessMs, lateTo);
        this.gapMs = gapMs;
    }

    @Override
    void begin() throws Exception {
        keys = valueState(
                "sessions",
                Sessions.type(aggregate.accumulatorType()),
                "session " + gapMs + " ms: " + aggregate.describe());
        timers = getInternalTimerService("sessions", VoidNamespaceSerializer.INSTANCE, this);
    }

    @Override
    Set<String> states() {
        return Set.of("session windows");
    }

    @Override
    void accept(Object value) throws Exception {
        if (timeless(value)) {
            return;
        }
        long end = time + gapMs;
        long closed = WindowTimes.closed(end, latenessMs);
        if (closed <= stamp) {
            late(value, closed);
            return;
        }
        Session record;
        try {
            Object accumulator = aggregate.create();
            aggregate.add(accumulator, value);
            record = new Session(time, end, accumulator, stamp);
        } catch (Throwable thrown) {
            onThrown(thrown);
            return;
        }
        Sessions known = opened(keys).value();
        Sessions sessions = known == null ? new Sessions() : known;
        sessions.await(record);
        long watermark = opened(timers).currentWatermark();
        if (stamp <= watermark) {
            advance(sessions, key(), watermark);
        }
        keep(sessions);
    }

    /** Saves the sessions, and sets a timer for when the next record must be applied or the next session ends. */
    private void keep(Sessions sessions) throws Exception {
        if (sessions.open.isEmpty() && sessions.waiting.isEmpty()) {
            opened(keys).clear();
            return;
        }
        opened(keys).update(sessions);
        long due = sessions.waiting.isEmpty() ? Long.MAX_VALUE : sessions.waiting.get(0).stamp;
        for (Session session : sessions.open) {
            due = Math.min(due, WindowTimes.due(session.end, session.fired, latenessMs));
        }
        opened(timers).registerEventTimeTimer(VoidNamespace.INSTANCE, due);
    }

    @Override
    public void onEventTime(InternalTimer<StableKey, VoidNamespace> timer) throws Exception {
        Sessions sessions = opened(keys).value();
        if (sessions != null) { // the timer of a session that was merged since
            advance(sessions, timer.getKey().key(), timer.getTimestamp());
            keep(sessions);
        }
    }

    private void advance(Sessions sessions, Object key, long watermark) throws Exception {
        while (!sessions.waiting.isEmpty() && sessions.waiting.get(0).stamp <= watermark) {
            Session record = sessions.waiting.remove(0);
            fire(sessions, key, record.stamp);
            apply(sessions, key, record);
        }
        fire(sessions, key, watermark);
    }

    /** Emits the sessions that have ended by {@code by}, and removes those that accept no more records. */
    private void fire(Sessions sessions, Object key, long by) throws Exception {
        sessions.open.sort(BY_END);
        for (Iterator<Session> each = sessions.open.iterator(); each.hasNext(); ) {
            Session session = each.next();
            if (!session.fired && WindowTimes.complete(session.end) <= by) {
                session.fired = true;
                fire(key, session.start, session.end, session.accumulator);
            }
            if (WindowTimes.closed(session.end, latenessMs) <= by) {
                each.remove();
            }
        }
    }

    private void apply(Sessions sessions, Object key, Session record) throws Exception {
        Session merged = record;
        boolean joinsFired = false;
        for (Iterator<Session> each = sessions.open.iterator(); each.hasNext(); ) {
            Session session = each.next();
            if (SessionRules.touch(record.start, record.end, session.start, session.end)) {
                joinsFired |= session.fired;
                session.start = Math.min(session.start, merged.start);
                session.end = Math.max(session.end, merged.end);
                try {
                    aggregate.merge(session.accumulator, merged.accumulator);
                } catch (Throwable thrown) {
                    throw failure(thrown);
                }
                merged = session;
                each.remove();
            }
        }
        merged.fired = SessionRules.firesAgain(joinsFired, merged.end, record.stamp);
        sessions.open.add(merged);
        if (merged.fired) {
            emit(key, merged.start, merged.end, merged.accumulator, record.stamp);
        }
    }

    @Override
    public void onProcessingTime(InternalTimer<StableKey, VoidNamespace> timer) {
        throw new IllegalStateException("there are no timers of processing time");
    }
}
