// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.state;

/** Spans of time with an accumulator each, numbered: sessions, and records that wait to join one. */
final class Spans extends Rows {
    /** No span. */
    static final int NONE = -1;

    private static final int START = 0;
    private static final int END = 1;
    private static final int DUE = 2;
    private static final int FLAGS = 3;

    /** The number of the key in the upper half, the next span in the lower. */
    private static final int LINKS = 4;

    private static final int LONGS = 5;

    private static final long SESSION = 1;
    private static final long FIRED = 2;

    private int used;
    private int free = NONE;

    Spans(Layout layout) {
        super(layout, LONGS, 0);
    }

    /** A new span, with an empty accumulator. */
    int add(long start, long end, long due) {
        int span = free == NONE ? used : free;
        reserve(span);
        create(span);
        if (span == free) {
            free = next(span);
        } else {
            used++;
        }
        int at = row(span);
        longs[at + START] = start;
        longs[at + END] = end;
        longs[at + DUE] = due;
        longs[at + FLAGS] = 0;
        longs[at + LINKS] = links(0, NONE);
        return span;
    }

    /** A span that was saved. */
    int restore(long start, long end, long due, Object accumulator) {
        int span = add(start, end, due);
        layout.restore(this, span, accumulator);
        return span;
    }

    long bytes() {
        return bytes(used);
    }

    /** Its number may be given to another one. */
    void remove(int span) {
        clear(span);
        longs[row(span) + FLAGS] = 0;
        next(span, free);
        free = span;
    }

    long start(int span) {
        return longs[row(span) + START];
    }

    /** Exclusive. */
    long end(int span) {
        return longs[row(span) + END];
    }

    /** Of a record the stamp at which it is applied, of a session the time at which it is looked at. */
    long due(int span) {
        return longs[row(span) + DUE];
    }

    void due(int span, long due) {
        longs[row(span) + DUE] = due;
    }

    /** False for a record that waits, and for a span that was removed. */
    boolean isSession(int span) {
        return (longs[row(span) + FLAGS] & SESSION) != 0;
    }

    void makeSession(int span) {
        longs[row(span) + FLAGS] |= SESSION;
    }

    boolean fired(int span) {
        return (longs[row(span) + FLAGS] & FIRED) != 0;
    }

    void fired(int span, boolean fired) {
        int at = row(span) + FLAGS;
        longs[at] = fired ? longs[at] | FIRED : longs[at] & ~FIRED;
    }

    /** The number of its key. */
    int key(int span) {
        return (int) (longs[row(span) + LINKS] >>> 32);
    }

    void key(int span, int key) {
        longs[row(span) + LINKS] = links(key, next(span));
    }

    /** The next of a list of spans that it is in, or {@link #NONE}. */
    int next(int span) {
        return (int) longs[row(span) + LINKS];
    }

    void next(int span, int next) {
        longs[row(span) + LINKS] = links(key(span), next);
    }

    private static long links(int key, int next) {
        return ((long) key << 32) | (next & 0xFFFF_FFFFL);
    }

    /** One span takes the other's time and what its accumulator holds. */
    void merge(int into, int from) throws Exception {
        int at = row(into);
        longs[at + START] = Math.min(start(into), start(from));
        longs[at + END] = Math.max(end(into), end(from));
        layout.merge(this, into, this, from);
    }
}
