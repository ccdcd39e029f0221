// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.codec.Codec;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.graph.NodeSpec;
import io.thalweg.api.operator.BadRecordException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of a table that records are joined with, in memory. Each task has its own. */
public final class JoinTable {
    private final NodeSpec.TableJoin join;
    private final Map<Object, Object> rows = new HashMap<>();

    private JoinTable(NodeSpec.TableJoin join) {
        this.join = join;
    }

    /**
     * Reads the whole table. Bad rows, also those whose key function says so, are reported to the context; rows with the key
     * null are left out. Of rows with equal keys the last counts.
     *
     * @throws RowException if the key function fails
     * @throws Exception what the source throws
     */
    public static JoinTable read(NodeSpec.TableJoin join, SourceContext context) throws Exception {
        Source<Object> table = join.table();
        Codec<Object> copies = table.reusesRecords() ? table.type().codec() : null;
        JoinTable read = new JoinTable(join);
        for (String split : table.splits(1)) {
            SplitReader<Object> reader = table.open(split, context);
            try {
                read.read(reader, split, copies, context);
            } finally {
                reader.close();
            }
        }
        return read;
    }

    private void read(SplitReader<Object> reader, String split, @Nullable Codec<Object> copies, SourceContext context)
            throws Exception {
        while (true) {
            try {
                Object row = reader.poll();
                if (row != null) {
                    keep(copies == null ? row : copies.copy(row), split, reader);
                } else if (reader.finished()) {
                    return;
                } else {
                    Thread.onSpinWait();
                }
            } catch (BadRecordException e) {
                context.bad(BadRecord.of(split, reader.line(), reader.recordOffset(), e));
            }
        }
    }

    private void keep(Object row, String split, SplitReader<Object> reader) throws RowException {
        try {
            @Nullable Object key = join.tableKey().apply(row);
            if (key != null) {
                rows.put(key, row);
            }
        } catch (BadRecordException e) {
            throw e;
        } catch (Exception e) {
            throw new RowException(split, reader.recordOffset(), e);
        }
    }

    /** The result for a record and the row with its key, which may have none; null if nothing is to be emitted. */
    public @Nullable Object join(Object value) throws Exception {
        @Nullable Object key = join.key().apply(value);
        return join.function().apply(value, key == null ? null : rows.get(key));
    }

    /** The rows by key. */
    public Map<Object, Object> rows() {
        return rows;
    }

    /** A user's function failed for a row of the table. */
    public static final class RowException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String split;
        private final long offset;
        private final Throwable thrown;

        private RowException(String split, long offset, Throwable cause) {
            super(cause);
            this.split = split;
            this.offset = offset;
            thrown = cause;
        }

        /** The split of the table. */
        public String split() {
            return split;
        }

        /** Where the row is in its split. */
        public long offset() {
            return offset;
        }

        /** What the function threw. */
        public Throwable thrown() {
            return thrown;
        }
    }
}
