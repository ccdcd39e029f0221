// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class LinesTest {
    @Test
    void shouldTakeLinesUpToTheLongest() throws Exception {
        byte[] text = "1234\n\n12\r\n123".getBytes(StandardCharsets.UTF_8);
        Lines lines = new Lines(new ByteArrayInputStream(text), 4);

        assertThat(lines.next()).asString().isEqualTo("1234");
        assertThat(lines.next()).isEmpty();
        assertThat(lines.next()).asString().isEqualTo("12\r");
        assertThat(lines.next()).asString().isEqualTo("123");
        assertThat(lines.next()).isNull();
    }

    /** As /dev/zero is: it would take all memory. */
    @Test
    void shouldRefuseALineWithoutAnEnd() throws Exception {
        byte[] zeros = new byte[2_000];
        zeros[2] = '\n';
        Lines lines = new Lines(new ByteArrayInputStream(zeros), 1_000);

        assertThat(lines.next()).hasSize(2);
        assertThatThrownBy(lines::next).isInstanceOf(IOException.class).hasMessage("line 2 has more than 1000 bytes");
    }
}
