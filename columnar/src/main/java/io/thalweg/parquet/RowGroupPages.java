// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import java.io.IOException;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;

/** The columns of a row group. Only those of the projection are read. */
final class RowGroupPages implements PageReadStore {
    private final ParquetFile file;
    private final RowGroup group;
    private final int maxPageBytes;

    RowGroupPages(ParquetFile file, RowGroup group, int maxPageBytes) {
        this.file = file;
        this.group = group;
        this.maxPageBytes = maxPageBytes;
    }

    @Override
    public PageReader getPageReader(ColumnDescriptor descriptor) {
        List<String> path = List.of(descriptor.getPath());
        try {
            ColumnChunk chunk = ParquetFile.chunk(group, path);
            if (chunk == null || chunk.isSetCrypto_metadata()) {
                throw new IOException(chunk == null ? "the row group does not have it" : "it is encrypted");
            }
            if (chunk.isSetFile_path()) {
                throw new IOException("it is in another file, " + chunk.getFile_path());
            }
            ColumnMetaData column = chunk.getMeta_data();
            if (descriptor.getMaxRepetitionLevel() == 0 && column.getNum_values() != group.getNum_rows()) {
                throw new IOException(
                        "it has " + column.getNum_values() + " values for " + group.getNum_rows() + " rows");
            }
            long begin = column.getData_page_offset();
            if (column.isSetDictionary_page_offset() && column.getDictionary_page_offset() > 0) {
                begin = Math.min(begin, column.getDictionary_page_offset());
            }
            return new ColumnPages(
                    file.range(begin, column.getTotal_compressed_size()), column, descriptor, maxPageBytes);
        } catch (IOException e) {
            throw new ColumnException(path, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public long getRowCount() {
        return group.getNum_rows();
    }
}
