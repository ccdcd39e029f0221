// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.report.HtmlReport;
import io.thalweg.lab.report.MadeUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultFilesTest {
    private static final Path PUBLISHED = Path.of("../../docs/studies");

    @TempDir
    private Path folder;

    @Test
    void shouldCompressWhatEndsInGz_andReadBoth() throws Exception {
        Results results = MadeUp.allStudies();
        Path plain = folder.resolve("a.json");
        Path compressed = folder.resolve("a.json.gz");

        ResultFiles.write(results, plain);
        ResultFiles.write(results, compressed);

        assertThat(ResultFiles.toJson(ResultFiles.read(plain))).isEqualTo(ResultFiles.toJson(results));
        assertThat(ResultFiles.toJson(ResultFiles.read(compressed))).isEqualTo(ResultFiles.toJson(results));
        assertThat(Files.size(compressed)).isLessThan(Files.size(plain) / 4);
    }

    @Test
    void shouldNameAFileThatIsDamaged_orHoldsSomethingElse() throws Exception {
        Path compressed = folder.resolve("a.json.gz");
        ResultFiles.write(MadeUp.allStudies(), compressed);
        byte[] all = Files.readAllBytes(compressed);

        Files.write(compressed, Arrays.copyOf(all, all.length / 2));
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " ");
        all[all.length - 8] ^= 0x55; // the checksum
        Files.write(compressed, all);
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " is damaged: ");
        Files.write(compressed, new byte[0]);
        assertThatThrownBy(() -> ResultFiles.read(compressed))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(compressed + " holds no results of the lab");
        assertThatThrownBy(() -> ResultFiles.read(folder)).hasMessage("cannot read " + folder + ": Is a directory");
        assertThatThrownBy(() -> ResultFiles.read(folder.resolve("none")))
                .hasMessage("cannot read " + folder.resolve("none") + ": no such file");
    }

    /** The results in the repository, of which the pages of the studies are made. */
    @Test
    void shouldMakeAPageOfAllThatIsPublished() throws Exception {
        List<Path> published;
        try (Stream<Path> files = Files.list(PUBLISHED)) {
            published =
                    files.filter(each -> each.toString().endsWith(".json.gz")).toList();
        }
        assertThat(published).hasSizeGreaterThanOrEqualTo(5);
        for (Path file : published) {
            Results results = ResultFiles.read(file);
            assertThat(HtmlReport.of(results))
                    .contains(results.cells().get(0).study())
                    .doesNotContain("NaN");
        }
    }
}
