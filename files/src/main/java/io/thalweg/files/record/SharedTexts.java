// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.record;

import org.jspecify.annotations.Nullable;

/**
 * The strings that all readers of one file know together, so that a text is one object whichever thread decoded it: those who keep
 * strings as keys would otherwise compare them byte by byte. Without a lock: threads that put within the same few nanoseconds may lose
 * each other's string, and each keep its own.
 *
 * <p>A set-associative cache: a hash selects two sets of four strings. It grows when both are full, up to a fixed size, and then the newer
 * string wins.
 */
final class SharedTexts {
    /** How many strings it can hold. */
    static final int MAX_SIZE = 16_384;

    private static final int FIRST_SIZE = 256;

    /** Strings of one set. Their marks lie in one cache line. */
    private static final int WAYS = 4;

    /** How far the second set is from the first, at most; fewer than there are sets at first. */
    private static final int NEIGHBOURS = 31;

    private volatile Table table = new Table(FIRST_SIZE);

    /** As {@link TextCache#find}, but with the hash of the whole text. */
    @Nullable String find(byte[] bytes, int from, int length, long hash, long tail) {
        return table.find(bytes, from, length, hash, tail);
    }

    /** As {@link TextCache#put}, but with the hash of the whole text. */
    String put(String value, byte[] bytes, int from, int length, long hash, long tail) {
        Table into = table;
        String other = into.find(bytes, from, length, hash, tail);
        if (other != null) { // of a thread that decoded it at the same time
            return other;
        }
        Text text = new Text(value, bytes, from, length, hash, tail);
        while (!into.put(text)) {
            if (into.texts.length >= MAX_SIZE) {
                into.replace(text);
                return value;
            }
            into = grown(into);
        }
        return value;
    }

    /** Strings stay the same objects, so that those who keep one still find it equal at a glance. */
    private synchronized Table grown(Table full) {
        if (table == full) {
            Table larger = new Table(full.texts.length * 4);
            for (Text text : full.texts) {
                if (text != null) {
                    larger.put(text);
                }
            }
            table = larger;
        }
        return table;
    }

    /** Immutable, so a thread that finds it by a race sees all of it. */
    private static final class Text {
        private final String value;
        private final long hash;
        private final long tail;
        private final long word0;
        private final long word1;
        private final long word2;

        private Text(String value, byte[] bytes, int from, int length, long hash, long tail) {
            this.value = value;
            this.hash = hash;
            this.tail = tail;
            word0 = length < Long.BYTES ? 0 : Words.at(bytes, from);
            word1 = length < 2 * Long.BYTES ? 0 : Words.at(bytes, from + Long.BYTES);
            word2 = length < 3 * Long.BYTES ? 0 : Words.at(bytes, from + 2 * Long.BYTES);
        }

        private boolean is(byte[] bytes, int from, int length, long itsTail) {
            return tail == itsTail
                    && (length < Long.BYTES || word0 == Words.at(bytes, from))
                    && (length < 2 * Long.BYTES || word1 == Words.at(bytes, from + Long.BYTES))
                    && (length < 3 * Long.BYTES || word2 == Words.at(bytes, from + 2 * Long.BYTES));
        }
    }

    private static final class Table {
        /** A part of each string's hash, so that others of the set are not looked at. May be wrong for a moment. */
        private final int[] marks;

        private final @Nullable Text[] texts;
        private final int shift;

        private Table(int size) {
            marks = new int[size];
            texts = new Text[size];
            shift = Long.SIZE - Integer.numberOfTrailingZeros(size / WAYS);
        }

        private int set(long hash) {
            return (int) (hash >>> shift) * WAYS;
        }

        /** Where a string is whose first set was full. */
        private int otherSet(long hash) {
            return set(hash) ^ (1 + ((int) hash & NEIGHBOURS)) * WAYS;
        }

        private @Nullable String find(byte[] bytes, int from, int length, long hash, long tail) {
            String found = find(set(hash), bytes, from, length, (int) hash, tail);
            return found != null ? found : find(otherSet(hash), bytes, from, length, (int) hash, tail);
        }

        private @Nullable String find(int set, byte[] bytes, int from, int length, int mark, long tail) {
            for (int at = set; at < set + WAYS; at++) {
                if (marks[at] == mark) {
                    Text text = texts[at];
                    if (text != null && text.is(bytes, from, length, tail)) {
                        return text.value;
                    }
                }
            }
            return null;
        }

        /** False if both sets are full. */
        private boolean put(Text text) {
            return put(text, set(text.hash)) || put(text, otherSet(text.hash));
        }

        private boolean put(Text text, int set) {
            for (int at = set; at < set + WAYS; at++) {
                if (texts[at] == null) {
                    place(text, at);
                    return true;
                }
            }
            return false;
        }

        private void replace(Text text) {
            place(text, set(text.hash) + ((int) text.tail & WAYS - 1));
        }

        private void place(Text text, int at) {
            texts[at] = text;
            marks[at] = (int) text.hash;
        }
    }
}
