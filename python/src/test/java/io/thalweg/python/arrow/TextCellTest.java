// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.MalformedTextException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against the JDK, whatever came before. */
final class TextCellTest {
    private static final int[] BELOW = {0x80, 0x100, 0x800, 0x10000, 0x110000};

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final TextCell cell = new TextCell(String::valueOf);

    /** But for half a surrogate pair, of which the JDK makes a question mark. */
    @Test
    void shouldEncodeAsTheJdkDoes() {
        for (int round = 0; round < 20_000; round++) {
            String text = text();
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (new String(bytes, StandardCharsets.UTF_8).equals(text)) {
                assertThat(cell.bytes(text)).as("seed %d", seed).isEqualTo(bytes);
            } else {
                assertThatThrownBy(() -> cell.bytes(text)).as("seed %d", seed).isInstanceOf(HalfPairException.class);
            }
        }
    }

    /** But for what is no UTF-8, of which the JDK makes U+FFFD. */
    @Test
    void shouldDecodeAsTheJdkDoes() {
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = text().getBytes(StandardCharsets.UTF_8);
            int from = random.nextInt(4);
            byte[] all = Arrays.copyOf(new byte[from], from + bytes.length + 3);
            System.arraycopy(bytes, 0, all, from, bytes.length);
            int length = bytes.length;
            if (length > 0 && random.nextInt(4) == 0) { // damaged, or cut off within a character
                all[from + random.nextInt(length)] = (byte) random.nextInt(256);
                length -= random.nextInt(Math.min(length, 3));
            }
            int end = length;
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(all, from, end))
                        .toString();
                assertThat(cell.value(all, from, end)).as("seed %d", seed).isEqualTo(text);
            } catch (CharacterCodingException e) {
                assertThatThrownBy(() -> cell.value(all, from, end))
                        .as("seed %d", seed)
                        .isInstanceOf(MalformedTextException.class);
            }
        }
    }

    /** Mostly ASCII, with some characters of one kind; halves of surrogate pairs, too. */
    private String text() {
        int length = random.nextInt(200);
        int below = BELOW[random.nextInt(BELOW.length)];
        int seldom = 1 + random.nextInt(40);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.appendCodePoint(random.nextInt(random.nextInt(seldom) == 0 ? below : 0x80));
        }
        return text.toString();
    }
}
