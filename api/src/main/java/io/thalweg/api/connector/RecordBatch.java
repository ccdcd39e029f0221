// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of one split, returned by a {@link LiveReader} and read on the task's thread, so that decoding in {@link
 * #next} does not delay the reader. Used by one thread at a time.
 *
 * @param <T> records
 */
public interface RecordBatch<T> {
    /** The split that the records come from. */
    String split();

    /**
     * The next record; null after the last.
     *
     * @throws io.thalweg.api.operator.BadRecordException if it cannot be decoded; the next call returns the one that
     *     follows
     */
    @Nullable T next() throws Exception;

    /**
     * The position after the record that {@link #next} returned last, in the split's own unit; before the first, the
     * position after the batch before. Never decreases within a split.
     */
    long position();

    /** Where the record begins that {@link #next} returned last, or that it failed to decode. For messages. */
    default long recordOffset() {
        return position();
    }

    /** Line of the record that {@link #next} returned last, from 1; 0 if the source has no lines. For messages. */
    default long line() {
        return 0;
    }

    /** Whether this is the last batch of its split. */
    default boolean last() {
        return false;
    }

    /**
     * The memory that the batch needs until its last record was read, in bytes; always the same. 0, the default, if it is
     * not known: the batch then does not count for {@link LiveSource#readAheadBytes}. Any thread may call.
     */
    default long bytes() {
        return 0;
    }

    /** As in {@link SplitReader#fingerprint}, of the split up to {@link #position} or a little further. */
    default byte[] fingerprint() throws Exception {
        return new byte[0];
    }

    /**
     * A batch of records in memory, each of which advances the position by one.
     *
     * @param split the split they come from
     * @param position of the first
     * @param records copied
     * @param last as {@link #last}
     */
    static <T> RecordBatch<T> of(String split, long position, List<T> records, boolean last) {
        Iterator<T> rest = List.copyOf(records).iterator();
        return new RecordBatch<>() {
            private long at = position;

            @Override
            public String split() {
                return split;
            }

            @Override
            public @Nullable T next() {
                if (!rest.hasNext()) {
                    return null;
                }
                at++;
                return rest.next();
            }

            @Override
            public long position() {
                return at;
            }

            @Override
            public long recordOffset() {
                return Math.max(position, at - 1);
            }

            @Override
            public boolean last() {
                return last;
            }
        };
    }
}
