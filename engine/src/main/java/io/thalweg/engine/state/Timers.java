// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Type;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keys with times at which something is due, in the order of the times; a key once for each time. */
final class Timers {
    private final TreeMap<Long, Set<Object>> keys = new TreeMap<>();
    private final KeyedState saved;

    /** The keys of the time that a timer was set for last: many are set for the same. */
    private @Nullable Set<Object> lastAdded;

    private long lastTime;

    /** @param name in a checkpoint */
    Timers(String operator, String name, Type<Object> key) {
        saved = new KeyedState(new StateName(operator, name), StateFormat.ofKeys("times", key), key.codec());
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The earliest time; {@link Long#MAX_VALUE} if there is none. */
    long dueAt() {
        return keys.isEmpty() ? Long.MAX_VALUE : keys.firstKey();
    }

    /** How many keys have a timer at that time. */
    int count(long time) {
        Set<Object> at = keys.get(time);
        return at == null ? 0 : at.size();
    }

    void add(long time, Object key) {
        Set<Object> at = lastAdded;
        if (at == null || time != lastTime) {
            at = keys.computeIfAbsent(time, since -> new LinkedHashSet<>());
            lastAdded = at;
            lastTime = time;
        }
        at.add(key);
    }

    void remove(long time, Object key) {
        Set<Object> at = keys.get(time);
        if (at != null && at.remove(key) && at.isEmpty()) {
            keys.remove(time);
            lastAdded = null;
        }
    }

    /** Takes out one of the earliest time, and returns its key. */
    Object removeFirst() {
        Set<Object> earliest = keys.firstEntry().getValue();
        Iterator<Object> each = earliest.iterator();
        Object first = each.next();
        each.remove();
        if (earliest.isEmpty()) {
            keys.pollFirstEntry();
            lastAdded = null;
        }
        return first;
    }

    void save(TaskState to) {
        to.declare(saved.name(), saved.format());
        keys.forEach((time, at) -> at.forEach(key -> saved.entry(key, to).writeVarLong(time)));
    }

    void restore(Restored from) {
        for (SavedState.Piece piece : saved.pieces(from)) {
            ByteReader in = piece.in();
            while (in.remaining() > 0) {
                Object key = saved.key(piece);
                add(in.readVarLong(), key);
            }
        }
    }
}
