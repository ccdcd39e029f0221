// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of one split, handed over by a {@link LiveReader} and read by the task, on the task's thread: what is decoded in
 * {@link #next} does not hold up the reader.
 *
 * @param <T> records
 */
public interface RecordBatch<T> {
    String split();

    /**
     * The next record; null after the last.
     *
     * @throws io.thalweg.api.operator.BadRecordException if it cannot be read; the next call gives the one that follows
     */
    @Nullable T next() throws Exception;

    /**
     * The position behind the record that {@link #next} gave last, in the split's own unit; before the first, behind the batch
     * before. Never decreases within a split.
     */
    long position();

    /** Where the record that {@link #next} gave last begins, or of which it threw. For messages. */
    default long recordOffset() {
        return position();
    }

    /** Line of the record that {@link #next} gave last, from 1; 0 if the source knows no lines. For messages. */
    default long line() {
        return 0;
    }

    /** True if nothing will ever follow this batch in its split. */
    default boolean last() {
        return false;
    }

    /** As {@link SplitReader#fingerprint} has it, of the split up to {@link #position} or a little further. */
    default byte[] fingerprint() throws Exception {
        return new byte[0];
    }

    /**
     * A batch of records that are there already, each of which counts one in the position.
     *
     * @param position of the first
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
