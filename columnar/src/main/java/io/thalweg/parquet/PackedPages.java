// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.PageCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.statistics.geospatial.GeospatialStatistics;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/** The pages of a column, compressed, until the row group is written. Each has a checksum. */
final class PackedPages implements PageWriter {
    private final ColumnDescriptor column;
    private final PageCodec packing;
    private final ByteArrayOutputStream pages = new ByteArrayOutputStream();
    private final Set<org.apache.parquet.format.Encoding> encodings =
            EnumSet.noneOf(org.apache.parquet.format.Encoding.class);
    private final ByteArrayOutputStream dictionary = new ByteArrayOutputStream();
    private long values;
    /** Headers, and pages as they were before they were compressed. */
    private long unpackedBytes;

    PackedPages(ColumnDescriptor column, PageCodec packing) {
        this.column = column;
        this.packing = packing;
    }

    @Override
    public void writePage(
            BytesInput bytes,
            int valueCount,
            int rowCount,
            @Nullable Statistics<?> statistics,
            @Nullable SizeStatistics sizes,
            @Nullable GeospatialStatistics shapes,
            Encoding repetitions,
            Encoding definitions,
            Encoding data)
            throws IOException {
        PageHeader header = new PageHeader(PageType.DATA_PAGE, 0, 0);
        header.setData_page_header(
                new DataPageHeader(valueCount, format(data), format(definitions), format(repetitions)));
        add(header, bytes, pages);
        values += valueCount;
    }

    @Override
    public void writePage(
            BytesInput bytes,
            int valueCount,
            int rowCount,
            @Nullable Statistics<?> statistics,
            Encoding repetitions,
            Encoding definitions,
            Encoding data)
            throws IOException {
        writePage(bytes, valueCount, rowCount, statistics, null, null, repetitions, definitions, data);
    }

    @Override
    @Deprecated
    public void writePage(
            BytesInput bytes,
            int valueCount,
            @Nullable Statistics<?> statistics,
            Encoding repetitions,
            Encoding definitions,
            Encoding data) {
        throw new UnsupportedOperationException("the library says how many rows a page has");
    }

    @Override
    public void writePageV2(
            int rowCount,
            int nullCount,
            int valueCount,
            BytesInput repetitions,
            BytesInput definitions,
            Encoding encoding,
            BytesInput data,
            @Nullable Statistics<?> statistics) {
        throw new UnsupportedOperationException("pages are written in their first version, which all can read");
    }

    @Override
    public void writeDictionaryPage(DictionaryPage page) throws IOException {
        PageHeader header = new PageHeader(PageType.DICTIONARY_PAGE, 0, 0);
        header.setDictionary_page_header(
                new DictionaryPageHeader(page.getDictionarySize(), format(page.getEncoding())));
        add(header, page.getBytes(), dictionary);
    }

    private org.apache.parquet.format.Encoding format(Encoding encoding) {
        org.apache.parquet.format.Encoding format = org.apache.parquet.format.Encoding.valueOf(encoding.name());
        encodings.add(format);
        return format;
    }

    private void add(PageHeader header, BytesInput bytes, ByteArrayOutputStream into) throws IOException {
        ByteArrayOutputStream plain = new ByteArrayOutputStream(Math.toIntExact(bytes.size()));
        bytes.writeAllTo(plain);
        byte[] unpacked = plain.toByteArray();
        byte[] packed = packing.pack(unpacked);
        CRC32 crc = new CRC32();
        crc.update(packed);
        header.setUncompressed_page_size(unpacked.length);
        header.setCompressed_page_size(packed.length);
        header.setCrc((int) crc.getValue());
        int before = into.size();
        Util.writePageHeader(header, into);
        unpackedBytes += into.size() - before + unpacked.length;
        into.writeBytes(packed);
    }

    /**
     * The dictionary and the pages.
     *
     * @param offset where they will stand in the file
     */
    ColumnChunk write(long offset, ByteArrayOutputStream into) {
        into.writeBytes(dictionary.toByteArray());
        into.writeBytes(pages.toByteArray());
        ColumnMetaData meta = new ColumnMetaData(
                SchemaElements.stored(column.getPrimitiveType().getPrimitiveTypeName()),
                List.copyOf(encodings),
                List.of(column.getPath()),
                switch (packing) {
                    case NONE -> CompressionCodec.UNCOMPRESSED;
                    case SNAPPY -> CompressionCodec.SNAPPY;
                    case GZIP -> CompressionCodec.GZIP;
                    case ZSTD -> CompressionCodec.ZSTD;
                },
                values,
                unpackedBytes,
                getMemSize(),
                offset + dictionary.size());
        if (dictionary.size() > 0) {
            meta.setDictionary_page_offset(offset);
        }
        ColumnChunk chunk = new ColumnChunk(0);
        chunk.setMeta_data(meta);
        return chunk;
    }

    long unpackedBytes() {
        return unpackedBytes;
    }

    @Override
    public long getMemSize() {
        return (long) pages.size() + dictionary.size();
    }

    @Override
    public long allocatedSize() {
        return getMemSize();
    }

    @Override
    public String memUsageString(String prefix) {
        return prefix + " " + getMemSize() + " bytes";
    }
}
