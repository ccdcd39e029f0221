// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Numbers of Python in the types of Java. */
final class ScalarsTest {
    private static final BigInteger TWO = BigInteger.TWO;

    private static Object read(Class<?> type, Object value) throws Exception {
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        Packing.pack(value, out);
        return Shape.of(Type.of(type)).readPresent(MessagePack.newDefaultUnpacker(out.toByteArray()));
    }

    /** In place of what is none the JDK has U+FFFD. */
    @Test
    void shouldRefuseATextThatIsNoUtf8() throws Exception {
        assertThat(read(String.class, "\uFFFDé")).isEqualTo("\uFFFDé");
        MessageBufferPacker out = MessagePack.newDefaultBufferPacker();
        out.packRawStringHeader(2).writePayload(new byte[] {'h', (byte) 0xE9});
        for (Class<?> type : List.of(String.class, BigDecimal.class)) {
            assertThatThrownBy(() ->
                            Shape.of(Type.of(type)).readPresent(MessagePack.newDefaultUnpacker(out.toByteArray())))
                    .isInstanceOf(MisfitException.class)
                    .hasMessage("a text that is no UTF-8: byte 1 of the text is invalid UTF-8");
        }
    }

    /** Of the group 1a456 the JDK would take the last four digits. */
    @Test
    void shouldRefuseATextThatIsNoUuid() throws Exception {
        String text = "123E4567-e89b-12d3-a456-426614174000";
        assertThat(read(UUID.class, text)).isEqualTo(UUID.fromString(text));
        for (String other : List.of("123e4567-e89b-12d3-1a456-42661417400", "1-1-1-1-1")) {
            assertThatThrownBy(() -> read(UUID.class, other))
                    .isInstanceOf(MisfitException.class)
                    .hasMessage("the text \"" + other + "\", which is no UUID");
        }
    }

    @Test
    void shouldTakeWholeNumbersThatAreExact() throws Exception {
        for (BigInteger exact : new BigInteger[] {
            BigInteger.ZERO,
            TWO.pow(53),
            TWO.pow(53).negate(),
            TWO.pow(53).add(TWO),
            TWO.pow(62).subtract(TWO.pow(20)),
            TWO.pow(63),
            TWO.pow(63).negate()
        }) {
            assertThat(read(Double.class, exact)).isEqualTo(exact.doubleValue());
        }
        assertThat(read(Float.class, TWO.pow(24).add(TWO))).isEqualTo(16_777_218f);
    }

    /** They came as other numbers, without a word. */
    @Test
    void shouldRefuseWholeNumbersThatWouldBeRounded() {
        for (BigInteger rounded : new BigInteger[] {
            TWO.pow(53).add(BigInteger.ONE),
            TWO.pow(53).add(BigInteger.ONE).negate(),
            TWO.pow(63).subtract(BigInteger.ONE),
            TWO.pow(64).subtract(BigInteger.ONE)
        }) {
            assertThatThrownBy(() -> read(Double.class, rounded))
                    .isInstanceOf(MisfitException.class)
                    .hasMessage("the whole number " + rounded
                            + ", which is not exact as a double; return float(…) of it if it may be rounded");
        }
        assertThatThrownBy(() -> read(Float.class, TWO.pow(24).add(BigInteger.ONE)))
                .hasMessageStartingWith("the whole number 16777217, which is not exact as a float");
    }

    @Test
    void shouldRefuseNumbersBeyondTheRangeOfFloat() throws Exception {
        assertThat(read(Float.class, 0.1)).isEqualTo(0.1f);
        assertThat(read(Float.class, Double.NEGATIVE_INFINITY)).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(read(Float.class, Double.NaN)).isEqualTo(Float.NaN);
        assertThatThrownBy(() -> read(Float.class, 1e300))
                .hasMessage("the value 1.0E300, which is out of the range of float");
    }
}
