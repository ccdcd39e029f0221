// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StandardOutputTest {
    private static @Nullable String lossOf(String problem) {
        StandardOutput output = new StandardOutput(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(problem);
            }
        });
        PrintStream printed = output.printed();
        printed.println("a line");
        assertThat(printed.checkError()).isTrue();
        return output.loss();
    }

    @Test
    void shouldTellALoss_butNotThatItsReaderHasSeenEnough() {
        assertThat(lossOf("No space left on device")).isEqualTo("No space left on device");
        assertThat(lossOf("Broken pipe")).isNull();
    }
}
