// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.ResultFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/studies says of the results beside it. */
final class StudiesPageTest {
    private static final Path STUDIES = Path.of("../../docs/studies");

    private static final Pattern ROW = Pattern.compile(
            "\\|[^|]*\\[results]\\((?<file>[^)]+)\\)[^|]*\\| (?<figures>\\d+) of (?<cells>\\d+)(?<more>[^|]*)\\|");
    private static final Pattern UNSETTLED = Pattern.compile("of which (\\d+) had not settled");

    @Test
    void shouldCountTheFiguresOfEachFile() throws Exception {
        Map<String, List<Long>> said = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(STUDIES.resolve("README.md")));
        while (row.find()) {
            Matcher unsettled = UNSETTLED.matcher(row.group("more"));
            said.put(
                    row.group("file"),
                    List.of(
                            Long.valueOf(row.group("figures")),
                            Long.valueOf(row.group("cells")),
                            unsettled.find() ? Long.parseLong(unsettled.group(1)) : 0L));
        }

        Map<String, List<Long>> stored = new TreeMap<>();
        for (String file : stored()) {
            List<CellResult> cells = ResultFiles.read(STUDIES.resolve(file)).cells();
            List<CellResult> figures =
                    cells.stream().filter(cell -> cell.figure() != null).toList();
            stored.put(
                    file,
                    List.of(
                            (long) figures.size(),
                            (long) cells.size(),
                            figures.stream().filter(cell -> !cell.hasSettled()).count()));
        }
        assertThat(said).as("figures, cells, not settled").isEqualTo(stored);
    }

    private static Set<String> stored() throws IOException {
        Set<String> files = new TreeSet<>();
        try (Stream<Path> all = Files.list(STUDIES)) {
            all.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json.gz"))
                    .forEach(files::add);
        }
        return files;
    }
}
