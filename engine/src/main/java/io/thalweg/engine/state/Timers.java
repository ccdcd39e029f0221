// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Type;
import io.thalweg.engine.checkpoint.Restored;
import io.thalweg.engine.checkpoint.SavedState;
import io.thalweg.engine.checkpoint.StateFormat;
import io.thalweg.engine.checkpoint.StateName;
import io.thalweg.engine.checkpoint.TaskState;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;

/** Keys with times at which something is due, in the order of the times; a key once for each time. */
final class Timers {
    private final TreeMap<Long, Set<Object>> keys = new TreeMap<>();
    private final KeyedState saved;

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
        keys.computeIfAbsent(time, at -> new LinkedHashSet<>()).add(key);
    }

    void remove(long time, Object key) {
        Set<Object> at = keys.get(time);
        if (at != null && at.remove(key) && at.isEmpty()) {
            keys.remove(time);
        }
    }

    /** Takes out one of the earliest time, and returns its key. */
    Object removeFirst() {
        Object first = keys.firstEntry().getValue().iterator().next();
        remove(dueAt(), first);
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
