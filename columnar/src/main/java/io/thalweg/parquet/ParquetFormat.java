// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.ColumnValues;
import io.thalweg.columnar.Declared.Struct;
import io.thalweg.columnar.PageCodec;
import io.thalweg.columnar.Writing;
import io.thalweg.files.output.RowFormat;
import io.thalweg.files.output.TextOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.PageWriteStore;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** Buffers rows until they fill a row group; writes the footer last. */
final class ParquetFormat<R> implements RowFormat<R> {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    /** Programs that read Parquet take it apart, so it has their form. */
    private static final String CREATED_BY = "thalweg version 0.1.0";

    /** At most; there are fewer where rows are large. */
    private static final int ROWS_BETWEEN_LOOKS = 100;

    private final ColumnValues columnValues;
    private final MessageType schema;
    private final MessageColumnIO columns;
    private final PageCodec packing;
    private final long rowGroupBytes;

    private final List<RowGroup> groups = new ArrayList<>();
    /** What was written of the file. */
    private long position;
    /** Null if no row waits. */
    private @Nullable Group open;

    ParquetFormat(Struct struct, Writing writing, PageCodec packing, long rowGroupBytes) {
        columnValues = new ColumnValues(struct, writing);
        schema = SchemaWriter.schema(struct, writing);
        columns = new ColumnIOFactory().getColumnIO(schema);
        this.packing = packing;
        this.rowGroupBytes = rowGroupBytes;
    }

    /** A row group that is being filled. */
    private static final class Group {
        private final Map<List<String>, PackedPages> pages;
        private final ColumnWriteStore values;
        private final RowAssembly assembly;
        private long rows;
        /** How many rows there are when its size is looked at. */
        private long nextLook = 1;

        Group(Map<List<String>, PackedPages> pages, ColumnWriteStore values, RowAssembly assembly) {
            this.pages = pages;
            this.values = values;
            this.assembly = assembly;
        }

        void add(@Nullable Object[] row) {
            assembly.row(row);
            rows++;
        }

        /** Looks again about half-way to what it may hold. */
        boolean isFull(long bytes) {
            if (rows < nextLook) {
                return false;
            }
            long size = buffered();
            long perRow = Math.max(1, size / rows);
            nextLook = rows + Math.min(ROWS_BETWEEN_LOOKS, Math.max(1, (bytes - size) / perRow / 2));
            return size >= bytes;
        }

        private long buffered() {
            return values.getBufferedSize()
                    + pages.values().stream().mapToLong(PackedPages::getMemSize).sum();
        }
    }

    @Override
    public boolean lines() {
        return false;
    }

    @Override
    public boolean continuable() {
        return false;
    }

    @Override
    public void header(TextOutput output) {
        groups.clear();
        open = null;
        position = 0;
        write(MAGIC, output);
        output.endRows();
    }

    private void write(byte[] bytes, TextOutput output) {
        output.bytes(bytes, 0, bytes.length);
        position += bytes.length;
    }

    @Override
    public void row(R row, TextOutput output) throws Exception {
        @Nullable Object[] values = columnValues.apart(row); // a bad record fails here, before anything is written
        Group group = open;
        if (group == null) {
            group = begin();
            open = group;
        }
        group.add(values);
        if (group.isFull(rowGroupBytes)) {
            end(group, output);
        }
    }

    private Group begin() {
        Map<List<String>, PackedPages> pages = new LinkedHashMap<>();
        for (ColumnDescriptor column : schema.getColumns()) {
            pages.put(List.of(column.getPath()), new PackedPages(column, packing));
        }
        ColumnWriteStore values = ParquetProperties.builder()
                .withMinRowCountForPageSizeCheck(1)
                .withMaxRowCountForPageSizeCheck(ROWS_BETWEEN_LOOKS)
                .build()
                .newColumnWriteStore(schema, new Pages(pages));
        return new Group(pages, values, new RowAssembly(schema, columns.getRecordWriter(values)));
    }

    private record Pages(Map<List<String>, PackedPages> pages) implements PageWriteStore {
        @Override
        public PageWriter getPageWriter(ColumnDescriptor column) {
            PackedPages of = pages.get(List.of(column.getPath()));
            if (of == null) {
                throw new IllegalArgumentException("no such column: " + column);
            }
            return of;
        }
    }

    private void end(Group group, TextOutput output) throws IOException {
        open = null;
        group.assembly.flush();
        group.values.flush();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<ColumnChunk> chunks = new ArrayList<>();
        long unpacked = 0;
        for (PackedPages pages : group.pages.values()) {
            chunks.add(pages.write(position + bytes.size(), bytes));
            unpacked += pages.unpackedBytes();
        }
        group.values.close();
        groups.add(new RowGroup(chunks, unpacked, group.rows));
        write(bytes.toByteArray(), output);
    }

    @Override
    public void footer(TextOutput output) throws IOException {
        if (open != null) {
            end(open, output);
        }
        long rows = groups.stream().mapToLong(RowGroup::getNum_rows).sum();
        FileMetaData footer = new FileMetaData(1, SchemaElements.of(schema), rows, groups);
        footer.setCreated_by(CREATED_BY);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Util.writeFileMetaData(footer, bytes);
        int length = bytes.size();
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .array());
        bytes.writeBytes(MAGIC);
        write(bytes.toByteArray(), output);
    }
}
