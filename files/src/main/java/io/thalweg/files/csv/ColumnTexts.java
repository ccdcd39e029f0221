// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.csv;

import io.thalweg.files.record.TextCache;
import io.thalweg.files.record.Words;

/**
 * Makes the texts of one column. A text that repeats is one object: it is decoded once, its hash is known, and comparing it with
 * itself is free. A column whose texts seldom repeat is looked at again periodically, and is decoded without a cache meanwhile.
 */
final class ColumnTexts implements CsvValue.Parse {
    /** So many texts are looked up before it is judged whether they repeat. */
    private static final int TRIED = 1 << 12;

    /** So many are looked up at first: a column of fewer texts than the cache can hold repeats by then. */
    private static final int TRIED_FIRST = TextCache.MAX_SIZE;

    /** So many are then decoded without a look, if fewer than half of those repeated. */
    private static final int SKIPPED = 1 << 16;

    private final TextCache cache;
    private int judgedAfter = TRIED_FIRST;
    private int tried;
    private int found;
    private int skipped = SKIPPED;

    ColumnTexts() {
        this(new TextCache());
    }

    private ColumnTexts(TextCache cache) {
        this.cache = cache;
    }

    /** For another thread: the same texts are the same objects. */
    ColumnTexts another() {
        return new ColumnTexts(cache.another());
    }

    @Override
    public String value(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length > TextCache.MAX_LENGTH) {
            return CsvValue.text(bytes, from, to);
        }
        if (skipped < SKIPPED) {
            skipped++;
            return CsvValue.text(bytes, from, to);
        }
        long hash = 0;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            hash = TextCache.hash(hash, Words.at(bytes, at));
        }
        long tail = TextCache.tail(rest(bytes, at, to), length);
        String known = cache.find(bytes, from, length, hash, tail);
        if (++tried == judgedAfter) {
            skipped = 2 * found < tried ? 0 : SKIPPED;
            judgedAfter = TRIED;
            tried = 0;
            found = 0;
        }
        if (known != null) {
            found++;
            return known;
        }
        return cache.put(CsvValue.text(bytes, from, to), bytes, from, length, hash, tail);
    }

    /** Fewer than eight bytes, the first of them lowest. */
    private static long rest(byte[] bytes, int at, int to) {
        if (at == to) {
            return 0;
        }
        if (at + Long.BYTES <= bytes.length) {
            return Words.at(bytes, at) & (-1L >>> (Long.SIZE - Byte.SIZE * (to - at)));
        }
        long rest = 0;
        for (int i = to - 1; i >= at; i--) {
            rest = (rest << Byte.SIZE) | (bytes[i] & 0xff);
        }
        return rest;
    }
}
