// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;

/** The library would allocate arrays for as many values as a page claims. */
final class PageLengthsTest {
    private static final ColumnDescriptor OPTIONAL = new ColumnDescriptor(
            new String[] {"a"}, Types.optional(PrimitiveTypeName.BINARY).named("a"), 0, 1);
    private static final ColumnDescriptor REQUIRED = new ColumnDescriptor(
            new String[] {"a"}, Types.required(PrimitiveTypeName.BINARY).named("a"), 0, 0);

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void shouldRefuseARunThatIsLongerThanThePage() {
        assertThatThrownBy(() -> PageLengths.ofLevels(bytes(0xff, 0xff, 0xff, 0xff, 0x0f), 8, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("a page of 8 values and 5 bytes claims to have 17179869176 values in a row");
        assertThatThrownBy(() ->
                        PageLengths.ofValues(bytes(2, 0xff, 0xff, 0xff, 0xff, 0x0f), 8, Encoding.RLE_DICTIONARY, 0))
                .hasMessage("a page of 8 values and 6 bytes claims to have 17179869176 values in a row");
        assertThatThrownBy(() -> PageLengths.ofPage(
                        bytes(5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f),
                        8,
                        Encoding.RLE,
                        Encoding.RLE,
                        Encoding.PLAIN,
                        OPTIONAL,
                        0))
                .hasMessage("a page of 8 values and 9 bytes claims to have 17179869176 values in a row");
    }

    @Test
    void shouldTakeRunsThatArePaddedAndCutOff() {
        byte[] packed = bytes(2 << 1 | 1, 0b1010_1010); // two groups of eight, the second without its byte
        assertThatCode(() -> PageLengths.ofLevels(packed, 9, 1)).doesNotThrowAnyException();
        byte[] repeated = bytes(200, 1, 1); // 100 times the same
        assertThatCode(() -> PageLengths.ofLevels(repeated, 100, 1)).doesNotThrowAnyException();
        assertThatCode(() -> PageLengths.ofLevels(bytes(), 100, 1)).doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseDeltasOfMoreValuesThanThePage() {
        byte[] many = bytes(128, 1, 4, 0xff, 0xff, 0xff, 0xff, 7, 0);
        assertThatThrownBy(() -> PageLengths.ofValues(many, 100, Encoding.DELTA_BINARY_PACKED, 0))
                .hasMessage("a page of 100 values and 9 bytes claims to have 2147483647 values in a row");
        assertThatThrownBy(() -> PageLengths.ofValues(many, Integer.MAX_VALUE, Encoding.DELTA_BINARY_PACKED, 0))
                .as("no block is there for them")
                .hasMessage("a page of 2147483647 values and 9 bytes claims to have 2147483647 values in a row");
        byte[] large = bytes(0xff, 0xff, 0xff, 0xff, 7, 1, 100, 0);
        assertThatThrownBy(() -> PageLengths.ofValues(large, 100, Encoding.DELTA_BYTE_ARRAY, 0))
                .hasMessage("a page cannot have blocks of 2147483647 values, in 1 parts");
        byte[] parts = bytes(128, 1, 0xff, 0xff, 0xff, 0xff, 7, 100, 0);
        assertThatThrownBy(() -> PageLengths.ofValues(parts, 100, Encoding.DELTA_LENGTH_BYTE_ARRAY, 0))
                .hasMessage("a page cannot have blocks of 128 values, in 2147483647 parts");
        assertThatCode(() -> PageLengths.ofValues(bytes(128, 1, 4, 100, 0), 100, Encoding.DELTA_BINARY_PACKED, 0))
                .doesNotThrowAnyException();
    }

    /** Texts of a page: how many bytes each has of the one before it, and one byte of its own. */
    private static byte[] texts(int... shared) throws IOException {
        var lengths = new DeltaBinaryPackingValuesWriterForInteger(128, 4, 64, 1024, new HeapByteBufferAllocator());
        var ends = new DeltaLengthByteArrayValuesWriter(64, 1024, new HeapByteBufferAllocator());
        for (int each : shared) {
            lengths.writeInteger(each);
            ends.writeBytes(Binary.fromString("x"));
        }
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        lengths.getBytes().writeAllTo(page);
        ends.getBytes().writeAllTo(page);
        lengths.close();
        ends.close();
        return page.toByteArray();
    }

    @Test
    void shouldRefuseATextThatHasMoreOfTheOneBeforeItThanThereIs() throws Exception {
        byte[] page = texts(0, 1, 2_000_000_000);
        assertThatThrownBy(() -> PageLengths.ofValues(page, 3, Encoding.DELTA_BYTE_ARRAY, 100))
                .isInstanceOf(IOException.class)
                .hasMessage("a text cannot have 2000000000 bytes of the one before it, as there are "
                        + (page.length + 100) + " in all");
        byte[] negative = texts(0, -1);
        assertThatThrownBy(() -> PageLengths.ofPage(
                        negative, 2, Encoding.RLE, Encoding.RLE, Encoding.DELTA_BYTE_ARRAY, REQUIRED, 0))
                .hasMessageStartingWith("a text cannot have -1 bytes of the one before it");
    }

    /** Old writers go on with the last text of the page before (PARQUET-246). */
    @Test
    void shouldTakeATextThatContinuesOneOfThePageBefore() throws Exception {
        byte[] page = texts(1_000, 1_001);
        assertThatCode(() -> PageLengths.ofValues(page, 2, Encoding.DELTA_BYTE_ARRAY, 1_000))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> PageLengths.ofValues(page, 2, Encoding.DELTA_BYTE_ARRAY, 100))
                .hasMessageStartingWith("a text cannot have 1000 bytes of the one before it");
    }
}
