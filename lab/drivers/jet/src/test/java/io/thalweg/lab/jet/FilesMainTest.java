// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.driver.FileProgramArguments;
import io.thalweg.lab.files.FileInput;
import io.thalweg.lab.files.FileInputs;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FilesMainTest {
    @TempDir
    private Path folder;

    @Test
    void shouldGroupOrders() throws Exception {
        shouldMakeWhatMustComeOut(FileJob.CSV_GROUP, 2);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("long")
    void shouldMakeWhatMustComeOut(FileJob job) throws Exception {
        shouldMakeWhatMustComeOut(job, 1);
    }

    private void shouldMakeWhatMustComeOut(FileJob job, int threads) throws Exception {
        FileInput input =
                new FileInputs(folder, Path.of("../../..").toAbsolutePath().normalize(), said -> {}).of(job, 3_000);
        Path output = folder.resolve("out.csv");
        Path times = folder.resolve("times.json");

        long elapsedNs = FilesMain.run(new FileProgramArguments(job, input.path(), output, threads, times));

        assertThat(elapsedNs).isPositive();
        assertThat(input.check(output).problem()).isNull();
    }
}
