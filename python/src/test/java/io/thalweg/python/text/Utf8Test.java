// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void shouldEscapeHalvesAlone() {
        assertThat(Utf8.escaped("a?\ud83d b\ude00😀é")).isEqualTo("a?\\ud83d b\\ude00😀é");
    }
}
