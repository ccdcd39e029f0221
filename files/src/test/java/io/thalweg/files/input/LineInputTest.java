// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On which line a job stands that goes on in the middle of a file. */
final class LineInputTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountTheLinesBefore_thoughTheFileHasAnotherNameByNow(boolean packed) throws IOException {
        Path file = folder.resolve("in");
        try (OutputStream out = Files.newOutputStream(file);
                OutputStream bytes = packed ? new GZIPOutputStream(out) : out) {
            bytes.write("a\nb\nc\nd\n".getBytes(StandardCharsets.UTF_8));
        }
        try (LineInput lines = LineInput.open(file.toString(), 100)) {
            lines.seek(4);
            Files.move(file, folder.resolve("in.1"));

            assertThat(lines.next()).isEqualTo(LineInput.Found.LINE);
            assertThat(lines.line()).isEqualTo(3);
            assertThat(lines.copy()).asString().isEqualTo("c");
            assertThat(lines.next()).isEqualTo(LineInput.Found.LINE);
            assertThat(lines.line()).isEqualTo(4);
        }
    }
}
