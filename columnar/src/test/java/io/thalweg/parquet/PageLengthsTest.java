// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.parquet.column.Encoding;
import org.junit.jupiter.api.Test;

/** The library would allocate arrays for as many values as a page claims. */
final class PageLengthsTest {
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
        assertThatThrownBy(
                        () -> PageLengths.ofValues(bytes(2, 0xff, 0xff, 0xff, 0xff, 0x0f), 8, Encoding.RLE_DICTIONARY))
                .hasMessage("a page of 8 values and 6 bytes claims to have 17179869176 values in a row");
        assertThatThrownBy(() -> PageLengths.ofPage(
                        bytes(5, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f),
                        8,
                        Encoding.RLE,
                        0,
                        Encoding.RLE,
                        1,
                        Encoding.PLAIN))
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
        assertThatThrownBy(() -> PageLengths.ofValues(many, 100, Encoding.DELTA_BINARY_PACKED))
                .hasMessage("a page of 100 values and 9 bytes claims to have 2147483647 values in a row");
        byte[] large = bytes(0xff, 0xff, 0xff, 0xff, 7, 1, 100, 0);
        assertThatThrownBy(() -> PageLengths.ofValues(large, 100, Encoding.DELTA_BYTE_ARRAY))
                .hasMessage("a page cannot have blocks of 2147483647 values, in 1 parts");
        byte[] parts = bytes(128, 1, 0xff, 0xff, 0xff, 0xff, 7, 100, 0);
        assertThatThrownBy(() -> PageLengths.ofValues(parts, 100, Encoding.DELTA_LENGTH_BYTE_ARRAY))
                .hasMessage("a page cannot have blocks of 128 values, in 2147483647 parts");
        assertThatCode(() -> PageLengths.ofValues(bytes(128, 1, 4, 100, 0), 100, Encoding.DELTA_BINARY_PACKED))
                .doesNotThrowAnyException();
    }
}
