// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet through the command line, in a JVM of its own, against the same events as JSON. */
final class ColumnsTest {
    private static final Path JOB = Thalweg.job("columns/Columns.java");
    private static final Pattern EVENT = Pattern.compile("\"net\":\"(\\w+)\".*\"coordinates\":\\[[^,]+,[^,]+,([^]]+)]");

    @TempDir
    private Path folder;

    @Test
    void shouldFindTheDeepestOfEachNetwork() throws Exception {
        TreeMap<String, Double> deepest = new TreeMap<>();
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (String line : Files.readAllLines(Thalweg.job("earthquakes/earthquakes.jsonl"))) {
            Matcher event = EVENT.matcher(line);
            assertThat(event.find()).isTrue();
            deepest.merge(event.group(1), Double.valueOf(event.group(2)), Math::max);
            counts.merge(event.group(1), 1, Integer::sum);
        }
        List<String> expected = deepest.keySet().stream()
                .map(net -> net + " " + counts.get(net) + " " + deepest.get(net))
                .toList();
        for (String parallelism : List.of("1", "4")) {
            Ended ended = new Thalweg(folder)
                    .command(
                            "run",
                            JOB.toString(),
                            "--quiet",
                            "--parallelism",
                            parallelism,
                            "--set",
                            "out=deepest.avro");
            assertThat(ended.code()).as(ended.error()).isZero();
            assertThat(ended.out().lines().skip(2).map(line -> line.strip().replaceAll(" +", " ")))
                    .hasSameSizeAs(expected)
                    .allMatch(line -> expected.stream().anyMatch(each -> same(each, line)));
            assertThat(folder.resolve("deepest.avro")).isNotEmptyFile();
        }
    }

    /** The table prints 10 for 10.0. */
    private static boolean same(String expected, String printed) {
        String[] left = expected.split(" ");
        String[] right = printed.split(" ");
        return left[0].equals(right[0])
                && left[1].equals(right[1])
                && Double.parseDouble(left[2]) == Double.parseDouble(right[2]);
    }
}
