// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BytesTest {
    private final ByteWriter out = new ByteWriter(0);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 63, 64, -64, -65, 8191, 8192, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldReadVarLongsBack(long value) {
        out.writeVarLong(value);

        ByteReader in = reader();
        assertThat(in.readVarLong()).isEqualTo(value);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void shouldWriteSmallNumbersShort() {
        out.writeVarLong(-64);
        assertThat(out.size()).isEqualTo(1);
        out.clear();
        out.writeVarLong(Long.MIN_VALUE);
        assertThat(out.size()).isEqualTo(10);
    }

    @Test
    void shouldReadBackInOrderWhatWasWritten() {
        out.writeByte(-3);
        out.writeBoolean(true);
        out.writeLong(0x0102030405060708L);
        out.writeDouble(-0.0);
        out.writeText("Ätna");
        out.writeBytes(new byte[] {9, 8});

        assertThat(out.toByteArray()).startsWith(-3, 1, 8, 7, 6, 5, 4, 3, 2, 1);
        ByteReader in = reader();
        assertThat(in.readByte()).isEqualTo(-3);
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.readLong()).isEqualTo(0x0102030405060708L);
        assertThat(in.readDouble()).isEqualTo(-0.0);
        assertThat(in.readText()).isEqualTo("Ätna");
        assertThat(in.readBytes()).containsExactly(9, 8);
        assertThat(in.remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ascii", "Grüße", "日本", "👍", "\ud83d", "\udc4d\ud83d", "a\u0000b", "?"})
    void shouldReadEveryTextBack(String text) {
        out.writeText(text);

        assertThat(reader().readText()).isEqualTo(text);
    }

    @Test
    void shouldGrow() {
        Random random = new Random(7);
        byte[] large = new byte[100_000];
        random.nextBytes(large);
        out.writeBytes(large);
        out.writeLong(42);

        ByteReader in = reader();
        assertThat(in.readBytes()).isEqualTo(large);
        assertThat(in.readLong()).isEqualTo(42);
    }

    @Test
    void shouldStartAnewOnceCleared() {
        out.writeText("before");
        out.clear();
        out.writeByte(1);

        assertThat(out.toByteArray()).containsExactly(1);
    }

    @Test
    void shouldReadFromTheMiddleOfAnArray() {
        ByteReader in = new ByteReader(new byte[] {1, 2, 3, 4}, 1, 2);

        assertThat(in.readByte()).isEqualTo(2);
        assertThat(in.readByte()).isEqualTo(3);
        assertThatThrownBy(in::readByte).isInstanceOf(CodecException.class).hasMessage("the bytes end 1 too early");
    }

    @Test
    void shouldRefuseBytesThatEndEarly() {
        assertThatThrownBy(() -> new ByteReader(new byte[3]).readLong())
                .isInstanceOf(CodecException.class)
                .hasMessage("the bytes end 5 too early");
        assertThatThrownBy(() -> new ByteReader(new byte[] {-1}).readVarLong()).isInstanceOf(CodecException.class);
        assertThatThrownBy(() -> new ByteReader(new byte[0]).readText()).isInstanceOf(CodecException.class);
    }

    @Test
    void shouldRefuseAWrongLengthBeforeMakingRoomForIt() {
        out.writeVarLong(Integer.MAX_VALUE);
        assertThatThrownBy(() -> reader().readBytes())
                .isInstanceOf(CodecException.class)
                .hasMessage("a length of 2147483647 with 0 bytes left");
        out.clear();
        out.writeVarLong(-1);
        assertThatThrownBy(() -> reader().readLength()).hasMessage("a length of -1 with 0 bytes left");
    }

    @Test
    void shouldRefuseANumberOfMoreThanTenBytes() {
        byte[] endless = new byte[11];
        java.util.Arrays.fill(endless, (byte) -1);

        assertThatThrownBy(() -> new ByteReader(endless).readVarLong())
                .isInstanceOf(CodecException.class)
                .hasMessageStartingWith("a number of more than ten bytes");
    }

    private ByteReader reader() {
        return new ByteReader(out.toByteArray());
    }
}
