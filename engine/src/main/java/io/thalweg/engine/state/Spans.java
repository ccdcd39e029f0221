// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.operator.CombinedLongs;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Spans of time with an accumulator each, numbered: sessions, and records that wait to join one. A span's cells stand side by
 * side in one array, because who reads the one reads the others; at their end the accumulator, if it is some longs.
 */
final class Spans {
    /** No span. */
    static final int NONE = -1;

    private static final int FIRST_CAPACITY = 16;

    private static final int START = 0;
    private static final int END = 1;
    private static final int DUE = 2;
    private static final int FLAGS = 3;

    /** The number of the key in the upper half, the next span in the lower. */
    private static final int LINKS = 4;

    private static final int LONGS = 5;

    private static final long SESSION = 1;
    private static final long FIRED = 2;

    private final Aggregate<Object, Object, Object> aggregate;
    private final @Nullable CombinedLongs<?, ?> longs;
    private final int cellsEach;
    private final long[] oneInHand;

    private long[] cells = new long[0];
    private @Nullable Object[] objects = new Object[0];
    private int used;
    private int free = NONE;

    Spans(Aggregate<Object, Object, Object> aggregate) {
        this.aggregate = aggregate;
        longs = (Object) aggregate instanceof CombinedLongs<?, ?> several ? several : null;
        oneInHand = new long[longs == null ? 0 : longs.parts().size()];
        cellsEach = LONGS + oneInHand.length;
        grow(FIRST_CAPACITY);
    }

    /** A new span, with an empty accumulator. */
    int add(long start, long end, long due) {
        Object accumulator = null;
        if (longs == null) {
            accumulator = aggregate.create();
            if (accumulator == null) {
                throw new IllegalStateException("an aggregate made no accumulator");
            }
        }
        int span = free();
        int at = span * cellsEach;
        Arrays.fill(cells, at + LONGS, at + cellsEach, 0);
        set(span, start, end, due, accumulator);
        return span;
    }

    /** A span that was saved. */
    int restore(long start, long end, long due, Object accumulator) {
        int span = free();
        if (longs == null) {
            set(span, start, end, due, accumulator);
        } else {
            set(span, start, end, due, null);
            System.arraycopy((long[]) accumulator, 0, cells, at(span), oneInHand.length);
        }
        return span;
    }

    private void set(int span, long start, long end, long due, @Nullable Object accumulator) {
        int at = span * cellsEach;
        cells[at + START] = start;
        cells[at + END] = end;
        cells[at + DUE] = due;
        cells[at + FLAGS] = 0;
        cells[at + LINKS] = links(0, NONE);
        if (accumulator != null) {
            objects[span] = accumulator;
        }
    }

    private int free() {
        int span = free;
        if (span != NONE) {
            free = next(span);
            return span;
        }
        if ((used + 1L) * cellsEach > cells.length) {
            grow(2 * used);
        }
        return used++;
    }

    private void grow(int capacity) {
        long wanted = (long) capacity * cellsEach;
        if (wanted > Integer.MAX_VALUE) {
            throw new IllegalStateException("a task holds at most " + used + " sessions of this kind: use more tasks");
        }
        cells = Arrays.copyOf(cells, (int) wanted);
        if (longs == null) {
            objects = Arrays.copyOf(objects, capacity);
        }
    }

    /** Its number may be given to another one. */
    void remove(int span) {
        if (longs == null) {
            objects[span] = null;
        }
        cells[span * cellsEach + FLAGS] = 0;
        next(span, free);
        free = span;
    }

    long start(int span) {
        return cells[span * cellsEach + START];
    }

    /** Exclusive. */
    long end(int span) {
        return cells[span * cellsEach + END];
    }

    /** Of a record the stamp at which it is applied, of a session the time at which it is looked at. */
    long due(int span) {
        return cells[span * cellsEach + DUE];
    }

    void due(int span, long due) {
        cells[span * cellsEach + DUE] = due;
    }

    /** False for a record that waits, and for a span that was removed. */
    boolean isSession(int span) {
        return (cells[span * cellsEach + FLAGS] & SESSION) != 0;
    }

    void makeSession(int span) {
        cells[span * cellsEach + FLAGS] |= SESSION;
    }

    boolean fired(int span) {
        return (cells[span * cellsEach + FLAGS] & FIRED) != 0;
    }

    void fired(int span, boolean fired) {
        int at = span * cellsEach + FLAGS;
        cells[at] = fired ? cells[at] | FIRED : cells[at] & ~FIRED;
    }

    /** The number of its key. */
    int key(int span) {
        return (int) (cells[span * cellsEach + LINKS] >>> 32);
    }

    void key(int span, int key) {
        cells[span * cellsEach + LINKS] = links(key, next(span));
    }

    /** The next of a list of spans that it is in, or {@link #NONE}. */
    int next(int span) {
        return (int) cells[span * cellsEach + LINKS];
    }

    void next(int span, int next) {
        cells[span * cellsEach + LINKS] = links(key(span), next);
    }

    private static long links(int key, int next) {
        return ((long) key << 32) | (next & 0xFFFF_FFFFL);
    }

    /** What the accumulator stands in: itself, or an array of longs, where it begins {@link #at}. */
    @SuppressWarnings("NullAway") // each span in use has one
    Object holder(int span) {
        return longs == null ? objects[span] : cells;
    }

    int at(int span) {
        return span * cellsEach + LONGS;
    }

    /** The accumulator itself; longs only until the next call. */
    Object read(int span) {
        if (longs == null) {
            return holder(span);
        }
        System.arraycopy(cells, at(span), oneInHand, 0, oneInHand.length);
        return oneInHand;
    }

    /** One span takes the other's time and what its accumulator holds. */
    void merge(int into, int from) throws Exception {
        int atInto = into * cellsEach;
        cells[atInto + START] = Math.min(start(into), start(from));
        cells[atInto + END] = Math.max(end(into), end(from));
        if (longs == null) {
            aggregate.merge(holder(into), holder(from));
        } else {
            longs.merge(cells, at(into), cells, at(from));
        }
    }
}
