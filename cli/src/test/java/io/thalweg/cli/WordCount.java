// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The words of a licence, line after line, over and over: counted for every hundred lines into a directory of parts, and
 * from the beginning into a file that says each count once.
 */
final class WordCount {
    private static final int WINDOW_LINES = 100;

    private final Path folder;
    private final List<String> text;
    private final int lines;

    /** Writes the job, {@code Words.java}. */
    WordCount(Cli cli, Path folder, int lines, int linesPerSecond) throws IOException {
        this.folder = folder;
        this.lines = lines;
        text = Files.readAllLines(Path.of("..", "LICENSE"));
        Files.write(folder.resolve("text.txt"), text);
        cli.job("Words", """
                ArrayList<String> text = new ArrayList<>(java.nio.file.Files.readAllLines(java.nio.file.Path.of("text.txt")));
                Stream<String> words = topology.from(Sources.generate(%d, i -> i).rate(%d)).name("lines")
                        .eventTime(i -> i, Duration.ZERO)
                        .flatMap(i -> Arrays.stream(text.get((int) (i %% text.size())).split("[^A-Za-z]+"))
                                .filter(word -> !word.isEmpty())
                                .toList())
                        .as(String.class).name("words");
                words.keyBy(word -> word)
                        .window(Windows.tumbling(Duration.ofMillis(%d)))
                        .aggregate(Aggregates.<String>count()).name("by window")
                        .map(r -> r.key() + "," + r.start() + "," + r.value()).as(String.class)
                        .to(io.thalweg.files.TextLines.write("out/parts/")).name("parts");
                words.keyBy(word -> word)
                        .aggregate(Aggregates.<String>count()).name("counts")
                        .map(k -> k.key() + "," + k.value()).as(String.class).parallelism(1)
                        .to(io.thalweg.files.TextLines.write("out/counts.csv")).name("file");
                """.formatted(lines, linesPerSecond, WINDOW_LINES));
        Files.createDirectories(folder.resolve("out"));
    }

    /** The files are those of a run that nobody killed. */
    void check(Object run) throws IOException {
        Map<String, Integer> windows = new TreeMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int line = 0; line < lines; line++) {
            for (String word : text.get(line % text.size()).split("[^A-Za-z]+")) {
                if (!word.isEmpty()) {
                    windows.merge(word + "," + line / WINDOW_LINES * WINDOW_LINES, 1, Integer::sum);
                    counts.merge(word, 1, Integer::sum);
                }
            }
        }
        List<String> expected = new ArrayList<>();
        windows.forEach((window, count) -> expected.add(window + "," + count));
        assertThat(sorted(rowsOfParts())).as("%s", run).isEqualTo(sorted(expected));
        expected.clear();
        counts.forEach((word, count) -> {
            for (int i = 1; i <= count; i++) {
                expected.add(word + "," + i);
            }
        });
        assertThat(sorted(Files.readAllLines(folder.resolve("out/counts.csv"))))
                .as("%s", run)
                .isEqualTo(sorted(expected));
    }

    private List<String> rowsOfParts() throws IOException {
        List<String> rows = new ArrayList<>();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder.resolve("out/parts"), "part-*")) {
            for (Path part : parts) {
                rows.addAll(Files.readAllLines(part));
            }
        }
        return rows;
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
    }
}
