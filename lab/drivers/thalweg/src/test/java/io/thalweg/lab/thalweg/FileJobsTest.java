// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.EmbeddedRunner;
import io.thalweg.job.JobLoader;
import io.thalweg.lab.driver.FileJob;
import io.thalweg.lab.files.FileInput;
import io.thalweg.lab.files.FileInputs;
import io.thalweg.run.RunSettings;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FileJobsTest {
    private static final Path JOBS = Path.of("src/main/java/io/thalweg/lab/thalweg/files");

    @TempDir
    private Path folder;

    /** From its source file, as the lab does by {@code thalweg run}. */
    @ParameterizedTest
    @EnumSource
    void shouldMakeWhatMustComeOut(FileJob job) throws Exception {
        FileInput input = new FileInputs(folder, Path.of("../../.."), said -> {}).of(job, 3_000);
        Path output = folder.resolve("out.csv");
        String name = Stream.of(job.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());

        new EmbeddedRunner(RunSettings.defaults().withParallelism(2))
                .start(new JobLoader(null)
                        .load(JOBS.resolve(name + ".java"), null)
                        .define(Map.of("in", input.path().toString(), "out", output.toString())))
                .await();

        FileInput.Found found = input.check(output);
        assertThat(found.problem()).isNull();
        assertThat(found.rows()).isPositive();
    }
}
