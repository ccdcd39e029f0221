// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.columnar.PageCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.jspecify.annotations.Nullable;

/** Reads the pages of a column in a row group one by one; only one is in memory. */
final class ColumnPages implements PageReader {
    private final ByteRange bytes;
    private final ColumnMetaData column;
    private final ColumnDescriptor type;
    private final PageCodec packing;
    private final int maxPageBytes;

    /** Values in the pages that were not read yet, as the footer says. */
    private long left;

    /** Bytes of the data pages that were read, decompressed. */
    private long dataBytes;

    /** The first page, if it is not the dictionary. */
    private @Nullable DataPage first;

    private boolean begun;

    ColumnPages(ByteRange bytes, ColumnMetaData column, ColumnDescriptor type, int maxPageBytes) throws IOException {
        this.bytes = bytes;
        this.column = column;
        this.type = type;
        this.maxPageBytes = maxPageBytes;
        left = column.getNum_values();
        this.packing = switch (column.getCodec()) {
            case UNCOMPRESSED -> PageCodec.NONE;
            case SNAPPY -> PageCodec.SNAPPY;
            case GZIP -> PageCodec.GZIP;
            case ZSTD -> PageCodec.ZSTD;
            default ->
                throw new IOException(
                        "it is compressed with " + column.getCodec() + "; only snappy, zstd and gzip can be read");
        };
    }

    @Override
    public long getTotalValueCount() {
        return column.getNum_values();
    }

    @Override
    public @Nullable DictionaryPage readDictionaryPage() {
        try {
            if (begun || bytes.remaining() == 0) {
                return null;
            }
            begun = true;
            PageHeader header = header();
            if (header.getType() != PageType.DICTIONARY_PAGE) {
                first = dataPage(header, body(header));
                return null;
            }
            if (!header.isSetDictionary_page_header()) {
                throw new IOException("its dictionary does not say how many values it has");
            }
            byte[] values = packing.unpack(body(header), header.getUncompressed_page_size());
            int count = header.getDictionary_page_header().getNum_values();
            PageLengths.ofDictionary(values, count, type.getPrimitiveType());
            return new DictionaryPage(
                    BytesInput.from(values),
                    count,
                    encoding(header.getDictionary_page_header().getEncoding()));
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    @Override
    public DataPage readPage() {
        try {
            DataPage page = first;
            first = null;
            begun = true;
            while (page == null) {
                if (bytes.remaining() == 0) {
                    throw new IOException("it has fewer values than the " + column.getNum_values() + " it should");
                }
                PageHeader header = header();
                page = dataPage(header, body(header));
            }
            return page;
        } catch (IOException e) {
            throw damaged(e);
        }
    }

    private PageHeader header() throws IOException {
        PageHeader header = Headers.page(bytes, maxPageBytes);
        int packed = header.getCompressed_page_size();
        int unpacked = header.getUncompressed_page_size();
        if (packed < 0 || unpacked < 0 || packed > bytes.remaining()) {
            throw new IOException("a page cannot have " + packed + " bytes, " + unpacked + " decompressed");
        }
        if (Math.max(packed, unpacked) > maxPageBytes) {
            throw new IOException("a page has " + Math.max(packed, unpacked) + " bytes, more than the limit of "
                    + maxPageBytes + "; see maxPageBytes");
        }
        return header;
    }

    private byte[] body(PageHeader header) throws IOException {
        byte[] body = bytes.readNBytes(header.getCompressed_page_size());
        if (header.isSetCrc()) {
            CRC32 crc = new CRC32();
            crc.update(body);
            if ((int) crc.getValue() != header.getCrc()) {
                throw new IOException("checksum mismatch in a page");
            }
        }
        return body;
    }

    /** Null for a page that holds no data. */
    private @Nullable DataPage dataPage(PageHeader header, byte[] body) throws IOException {
        if (header.getType() == PageType.DATA_PAGE && header.isSetData_page_header()) {
            return ofVersion1(header.getData_page_header(), header.getUncompressed_page_size(), body);
        }
        if (header.getType() == PageType.DATA_PAGE_V2 && header.isSetData_page_header_v2()) {
            return ofVersion2(header.getData_page_header_v2(), header.getUncompressed_page_size(), body);
        }
        if (header.getType() == PageType.INDEX_PAGE) {
            return null;
        }
        throw new IOException("a page of the type " + header.getType() + " where a data page is expected");
    }

    private void take(int values) throws IOException {
        if (values < 0 || values > left) {
            throw new IOException("a page cannot have " + values + " values, as there are " + left + " left of the "
                    + column.getNum_values() + " it should have");
        }
        left -= values;
    }

    private DataPage ofVersion1(DataPageHeader header, int length, byte[] body) throws IOException {
        take(header.getNum_values());
        byte[] page = packing.unpack(body, length);
        Encoding repetitions = encoding(header.getRepetition_level_encoding());
        Encoding definitions = encoding(header.getDefinition_level_encoding());
        Encoding encoding = encoding(header.getEncoding());
        PageLengths.ofPage(page, header.getNum_values(), repetitions, definitions, encoding, type, dataBytes);
        dataBytes += page.length;
        return new DataPageV1(
                BytesInput.from(page),
                header.getNum_values(),
                length,
                noStatistics(),
                repetitions,
                definitions,
                encoding);
    }

    private DataPage ofVersion2(DataPageHeaderV2 header, int length, byte[] body) throws IOException {
        take(header.getNum_values());
        int repetitions = header.getRepetition_levels_byte_length();
        int definitions = header.getDefinition_levels_byte_length();
        if (repetitions < 0 || definitions < 0 || (long) repetitions + definitions > Math.min(body.length, length)) {
            throw new IOException("the levels of a page are longer than the page");
        }
        int levels = repetitions + definitions;
        byte[] repeated = Arrays.copyOfRange(body, 0, repetitions);
        byte[] defined = Arrays.copyOfRange(body, repetitions, levels);
        byte[] data = Arrays.copyOfRange(body, levels, body.length);
        if (header.isIs_compressed() && (data.length > 0 || length > levels)) {
            data = packing.unpack(data, length - levels);
        }
        Encoding encoding = encoding(header.getEncoding());
        PageLengths.ofLevels(repeated, header.getNum_values(), type.getMaxRepetitionLevel());
        PageLengths.ofLevels(defined, header.getNum_values(), type.getMaxDefinitionLevel());
        PageLengths.ofValues(data, header.getNum_values(), encoding, dataBytes);
        dataBytes += data.length;
        return DataPageV2.uncompressed(
                header.getNum_rows(),
                header.getNum_nulls(),
                header.getNum_values(),
                BytesInput.from(repeated),
                BytesInput.from(defined),
                encoding,
                BytesInput.from(data),
                noStatistics());
    }

    private Statistics<?> noStatistics() {
        return Statistics.createStats(type.getPrimitiveType());
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) throws IOException {
        if (encoding == null) {
            throw new IOException("a page has an unknown encoding");
        }
        return Encoding.valueOf(encoding.name());
    }

    private ColumnException damaged(IOException e) {
        return new ColumnException(column.getPath_in_schema(), String.valueOf(e.getMessage()));
    }
}
