// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class PlainTextTest {
    @Test
    void shouldShowWhatWouldActOnATerminal() {
        assertThat(PlainText.line("a\u001b[31mb\u0007\u009b2J\u202ec\u007f"))
                .isEqualTo("a\\u001b[31mb\\u0007\\u009b2J\\u202ec\\u007f");
        assertThat(PlainText.line("größer 値 😀")).isEqualTo("größer 値 😀");
    }

    @Test
    void shouldPutLinesTogether() {
        assertThat(PlainText.line(" one \r\n two\u2028three\tfour\n")).isEqualTo("one two three four");
        assertThat(PlainText.lines("one\n\ttwo\u001b\n")).isEqualTo("one\n\ttwo\\u001b\n");
    }

    @Test
    void shouldCutWhatIsTooLong() {
        assertThat(PlainText.line("12345", 5)).isEqualTo("12345");
        assertThat(PlainText.line("123456", 5)).isEqualTo("1234…");
        assertThat(PlainText.line("123😀56", 5)).as("no half of a pair").isEqualTo("123…");
        assertThat(PlainText.line("x".repeat(10_000_000), 5)).isEqualTo("xxxx…");
        assertThat(PlainText.line(" ".repeat(10_000_000), 5)).isEqualTo("…");
    }

    @Test
    void shouldSayWhatWasThrown() {
        assertThat(PlainText.thrown(new IllegalStateException("full")))
                .isEqualTo("java.lang.IllegalStateException: full");
        assertThat(PlainText.thrown(new IllegalStateException("full", new IllegalArgumentException("x"))))
                .isEqualTo("java.lang.IllegalStateException: full");
        assertThat(PlainText.thrown(new NoSuchElementException())).isEqualTo("java.util.NoSuchElementException");
        assertThat(PlainText.thrown(new ExceptionInInitializerError(new NoClassDefFoundError("com/acme/Settings"))))
                .isEqualTo(
                        "java.lang.ExceptionInInitializerError, caused by java.lang.NoClassDefFoundError: com/acme/Settings");
    }
}
