// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import io.thalweg.files.Csv;
import io.thalweg.files.JsonLines;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.FileJob;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesTest {
    @TempDir
    private Path folder;

    /** CSV in; JSON lines out, and CSV of what was late. */
    @Test
    void shouldReadAndWriteWhatTheInterpreterDoes() throws Exception {
        FileJob job = new FileJob(
                new FileJob.Format<>(
                        path -> Csv.read(path, FileJob.Reading.class),
                        path -> Csv.write(path, FileJob.Reading.class),
                        FileJob.Reading.class),
                new FileJob.Format<>(
                        path -> JsonLines.read(path, FileJob.Mean.class),
                        path -> JsonLines.write(path, FileJob.Mean.class),
                        FileJob.Mean.class));
        job.check(FlinkRunner.inThisJvm(RunSettings.defaults().withParallelism(2)), folder);
    }
}
