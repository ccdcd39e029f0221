// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class Utf8Test {
    private static final String[] PARTS = {
        "a", "?", "é", "€", "😀", "\ud83d", "\ude00", "some plain text", "what?", "long ".repeat(40)
    };

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    @Test
    void shouldRefuseWhatUtf8CannotEncode_andNothingElse() {
        for (int round = 0; round < 50_000; round++) {
            StringBuilder made = new StringBuilder();
            int half = random.nextInt(2) == 0 ? PARTS.length : 5; // the first five are whole
            for (int parts = random.nextInt(6); parts > 0; parts--) {
                made.append(PARTS[random.nextInt(half)]);
            }
            String text = made.toString();
            try {
                CharBuffer whole = CharBuffer.wrap(text);
                StandardCharsets.UTF_8.newEncoder().encode(whole);
                assertThat(Utf8.bytes(text)).as("seed %d", seed).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
            } catch (CharacterCodingException e) {
                assertThatThrownBy(() -> Utf8.bytes(text))
                        .as("seed %d", seed)
                        .isInstanceOf(HalfPairException.class)
                        .hasMessage("the text contains half a surrogate pair, which UTF-8 cannot encode");
            }
        }
    }

    /** As a decoder of the JDK that replaces nothing. */
    @Test
    void shouldRefuseWhatIsNoUtf8_andNothingElse() {
        for (int round = 0; round < 50_000; round++) {
            StringBuilder made = new StringBuilder();
            for (int parts = random.nextInt(6); parts > 0; parts--) {
                made.append(random.nextInt(4) == 0 ? "\uFFFD" : PARTS[random.nextInt(5)]);
            }
            byte[] bytes = made.toString().getBytes(StandardCharsets.UTF_8);
            int from = random.nextInt(bytes.length + 1);
            if (bytes.length > 0 && random.nextInt(2) == 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = bytes.length - from;
            try {
                String text = StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, from, length))
                        .toString();
                assertThat(Utf8.text(bytes, from, length)).as("seed %d", seed).isEqualTo(text);
            } catch (CharacterCodingException e) {
                assertThatThrownBy(() -> Utf8.text(bytes, from, length))
                        .as("seed %d", seed)
                        .isInstanceOf(MalformedTextException.class)
                        .hasMessageMatching("byte [0-9]+ of the text is invalid UTF-8");
            }
        }
        byte[] bytes = {'x', 'a', (byte) 0xC3, (byte) 0xA9, (byte) 0xFF, 'b'};
        assertThatThrownBy(() -> Utf8.text(bytes, 1, 5)).hasMessage("byte 3 of the text is invalid UTF-8");
        assertThatThrownBy(() -> Utf8.text(bytes, 1, 2)).hasMessage("byte 1 of the text is invalid UTF-8");
    }

    @Test
    void shouldEscapeHalvesAlone() {
        assertThat(Utf8.escaped("a?\ud83d b\ude00😀é")).isEqualTo("a?\\ud83d b\\ude00😀é");
    }
}
