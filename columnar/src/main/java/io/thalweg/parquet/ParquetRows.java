// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.RecordProblems;
import java.io.IOException;
import java.util.Set;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one split. A position is the number of a row in the file, from 0. */
final class ParquetRows<R> implements SplitReader<R> {
    /** After so many bad rows the engine may look elsewhere. */
    private static final int ROWS_A_POLL = 256;

    private final ParquetSplit split;
    private final ParquetFile file;
    private final Class<R> type;
    private final int maxPageBytes;
    private final SourceContext context;
    private final Set<String> told;

    /** How the file differs from the one that the splits were made of; null if it does not. Of a restored split, the checkpoint knows. */
    private @Nullable String replaced;

    private final RecordProblems record = new RecordProblems();
    private final Materializer materializer;
    private final MessageColumnIO columns;

    /** The row group that is read next, or being read. */
    private int group;
    /** The first row of it. */
    private long groupBegin;
    /** Null between row groups. */
    private @Nullable RecordReader<@Nullable Object> rows;
    /** The row that is read next. */
    private long next;

    private boolean finished;

    /** How many row groups the file had in the checkpoint that is restored. */
    private int groupsBefore = FooterFingerprint.UNKNOWN;

    ParquetRows(
            ParquetSplit split,
            ParquetFile file,
            Struct struct,
            Class<R> type,
            int maxPageBytes,
            SourceContext context,
            Set<String> told,
            @Nullable String replaced) {
        this.split = split;
        this.file = file;
        this.type = type;
        this.maxPageBytes = maxPageBytes;
        this.context = context;
        this.told = told;
        this.replaced = replaced;
        materializer = new Materializer(file, struct, record);
        columns = new ColumnIOFactory(file.createdBy()).getColumnIO(materializer.bound.columns(), file.schema());
        group = split.firstGroup();
        for (int i = 0; i < group; i++) {
            groupBegin += file.rowGroup(i).getNum_rows();
        }
        next = groupBegin;
    }

    @Override
    public @Nullable R poll() {
        if (replaced != null) {
            throw new ConnectorException("cannot read " + file.path()
                    + ": it was replaced while the job began to read it, in several splits: " + replaced
                    + "; start the job again when nobody writes to it");
        }
        for (int i = 0; i < ROWS_A_POLL; i++) {
            if (!open()) {
                finished = true;
                return null;
            }
            record.begin();
            Object made = read();
            next++;
            String wrong = record.wrong();
            if (wrong == null) {
                return type.cast(made);
            }
            context.bad(new BadRecord(split.name(), 0, next - 1, wrong, new byte[0]));
        }
        return null;
    }

    /** False if there are no more rows. */
    private boolean open() {
        while (group < split.endGroup()) {
            long end = groupBegin + file.rowGroup(group).getNum_rows();
            if (next < end) {
                if (rows == null) {
                    rows = opened();
                }
                return true;
            }
            groupBegin = end;
            group++;
            rows = null;
        }
        return false;
    }

    private RecordReader<@Nullable Object> opened() {
        try {
            return columns.getRecordReader(new RowGroupPages(file, file.rowGroup(group), maxPageBytes), materializer);
        } catch (RuntimeException e) {
            throw file.unreadable(", row group " + group, e);
        }
    }

    private @Nullable Object read() {
        RecordReader<@Nullable Object> reader = rows;
        if (reader == null) {
            throw new IllegalStateException("no row group is open");
        }
        try {
            return reader.read();
        } catch (RuntimeException e) {
            throw file.unreadable(", row group " + group + ", row " + next, e);
        }
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return next;
    }

    @Override
    public long recordOffset() {
        return Math.max(0, next - 1);
    }

    @Override
    public void seek(long position) {
        tellUnread();
        while (group < split.endGroup()
                && position >= groupBegin + file.rowGroup(group).getNum_rows()) {
            groupBegin += file.rowGroup(group).getNum_rows();
            group++;
            rows = null;
        }
        next = groupBegin;
        while (next < position && open()) {
            record.begin();
            read();
            next++;
        }
    }

    @Override
    public byte[] fingerprint() {
        return file.fingerprint().toBytes();
    }

    @Override
    public @Nullable String changed(byte[] fingerprint) {
        replaced = null;
        FooterFingerprint before = FooterFingerprint.read(fingerprint);
        groupsBefore = before.rowGroups();
        return before.changed(file.fingerprint());
    }

    /** A restored job has the splits that it had: those of a file of several do not hold what the file has gained. */
    private void tellUnread() {
        if (!split.isRange() || groupsBefore == FooterFingerprint.UNKNOWN || groupsBefore >= file.rowGroups()) {
            return;
        }
        long unread = 0;
        for (int i = groupsBefore; i < file.rowGroups(); i++) {
            unread += file.rowGroup(i).getNum_rows();
        }
        if (told.add(file.path())) {
            context.warn(file.path() + " has gained row groups " + groupsBefore + " to " + (file.rowGroups() - 1)
                    + " since the checkpoint; their " + unread
                    + " rows are not read: to read them, and the file from its beginning, restore with --discard-state"
                    + (context.operator().isEmpty() ? "" : " '" + context.operator() + "'"));
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Makes records of the columns. */
    private static final class Materializer extends RecordMaterializer<@Nullable Object> {
        private final Projection.Bound bound;
        private @Nullable Object current;

        Materializer(ParquetFile file, Struct struct, RecordProblems record) {
            bound = Projection.of(file.schema(), struct, record, made -> current = made);
        }

        @Override
        public @Nullable Object getCurrentRecord() {
            return current;
        }

        @Override
        public GroupConverter getRootConverter() {
            return bound.root();
        }
    }
}
