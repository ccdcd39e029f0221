// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.study.Studies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches DuckDB and Polars from PyPI, if it has not before. */
@Tag("long")
@Tag("one-jdk")
final class NeighboursTest {
    @TempDir
    private Path folder;

    @Test
    void shouldMakeWhatMustComeOutOfEveryJob() throws Exception {
        Path study = folder.resolve("mine.yaml");
        Files.writeString(study, """
                name: mine
                title: my own
                engines: {duckdb: [files], polars: [files]}
                settings: {workload: files, records: 3000, threads: 2}
                cases:
                  - name: jobs
                    title: each of them
                    sweep: {job: [csv-read, csv-group, csv-filter, json-read, json-group, quakes]}
                """);
        try (LabRun lab = new LabRun(Path.of("../..").toAbsolutePath(), "1", said -> {})) {
            List<CellResult> cells = lab.run(
                            new LabRun.Wish(List.of(Studies.find(study.toString())), List.of(), true, 1, 1),
                            Timing.QUICK)
                    .cells();
            assertThat(cells).hasSize(12);
            for (CellResult cell : cells) {
                String reason = cell.reason();
                assumeFalse(
                        cell.runs().isEmpty() && reason != null && reason.contains("cannot be had"),
                        () -> String.format(Locale.ROOT, "no network or no Python: %s", reason));
                assertThat(reason).as(cell.engine() + " " + cell.caseName()).isNull();
                assertThat(cell.version()).matches("\\d+\\.\\d+\\.\\d+");
            }
        }
    }
}
