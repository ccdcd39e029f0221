// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The word count through the command line, in a JVM of its own. */
final class WordCountTest {
    private static final Path JOB = Thalweg.job("wordcount/WordCount.java");

    @TempDir
    private Path folder;

    @Test
    void shouldCountAsOneWhoReadsTheTextDoes() throws Exception {
        TreeMap<String, Integer> counts = new TreeMap<>();
        for (String word : Files.readString(JOB.resolveSibling("river.txt"))
                .toLowerCase(Locale.ROOT)
                .split("[^a-z]+")) {
            counts.merge(word, 1, Integer::sum);
        }
        List<String> expected = new ArrayList<>();
        counts.forEach((word, n) -> {
            if (n >= 3) {
                expected.add(word + " " + n);
            }
        });
        expected.sort((a, b) -> Integer.compare(
                Integer.parseInt(b.substring(b.indexOf(' ') + 1)), Integer.parseInt(a.substring(a.indexOf(' ') + 1))));
        for (String parallelism : List.of("1", "4")) {
            Ended ended = new Thalweg(folder)
                    .command("run", JOB.toString(), "--quiet", "--set", "least=3", "--parallelism", parallelism);
            assertThat(ended.code()).as(ended.error()).isZero();
            assertThat(ended.out().lines().skip(2).map(line -> line.strip().replaceAll(" +", " ")))
                    .isEqualTo(expected);
        }
    }

    @Test
    void shouldReadAnotherText() throws Exception {
        Files.writeString(folder.resolve("in.txt"), "To be, or not to be:\nthat is\n\nTHE question—être\n");
        Ended ended =
                new Thalweg(folder).command("run", JOB.toString(), "--quiet", "--set", "in=in.txt", "--set", "least=1");
        assertThat(ended.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "Words by how often they come",
                        "word n",
                        "be 2",
                        "to 2",
                        "is 1",
                        "not 1",
                        "or 1",
                        "question 1",
                        "that 1",
                        "the 1",
                        "être 1");
    }
}
