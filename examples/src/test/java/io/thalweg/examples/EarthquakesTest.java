// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job through the command line, in a JVM of its own. */
final class EarthquakesTest {
    private static final Path JOB = Thalweg.job("earthquakes/Earthquakes.java");

    @TempDir
    private Path folder;

    private Ended thalweg(String... arguments) throws IOException, InterruptedException {
        return new Thalweg(folder).command(arguments);
    }

    private String event(String mag, String time, String net, String magType, int sig) {
        return "{\"type\":\"Feature\",\"properties\":{\"mag\":" + mag + ",\"place\":\"here\",\"time\":" + time
                + ",\"sig\":" + sig + ",\"net\":" + net + ",\"magType\":" + magType + "},\"id\":\"x\"}\n";
    }

    @Test
    void shouldGroupNullsAndIgnoreThemInMaxAndMean() throws Exception {
        Path in = folder.resolve("in.jsonl");
        Files.writeString(
                in,
                event("1.5", "86400000", "\"ak\"", "\"ml\"", 10)
                        + event("null", "86400001", "\"ak\"", "\"ml\"", 20)
                        + event("2.5", "86399999", "\"ak\"", "\"ml\"", 5)
                        + event("null", "0", "null", "null", 7)
                        + event("3.5", "172799999", "\"ak\"", "\"ml\"", 1));
        Ended ended = thalweg("run", JOB.toString(), "--set", "in=" + in, "--set", "out=groups.csv");

        assertThat(ended.error()).doesNotContain("thalweg:");
        assertThat(ended.code()).isZero();
        assertThat(Files.readAllLines(folder.resolve("groups.csv")))
                .startsWith("day,net,magType,n,max_mag,mean_mag,sum_sig")
                .containsExactlyInAnyOrder(
                        "day,net,magType,n,max_mag,mean_mag,sum_sig",
                        "1970-01-01,ak,ml,1,2.5,2.5,5",
                        "1970-01-01,,,1,,,7",
                        "1970-01-02,ak,ml,3,3.5,2.5,31");
        assertThat(ended.out()).contains("The ten strongest").doesNotContain("\u001b");
    }

    @Test
    void shouldKeepBadRecordsAndGoOn() throws Exception {
        Path in = folder.resolve("in.jsonl");
        String bad = "{\"properties\":{\"mag\":\"high\"}}";
        Files.writeString(
                in,
                event("1.5", "1000", "\"ak\"", "\"ml\"", 10)
                        + bad + "\n\n"
                        + event("2.0", "null", "\"ak\"", "\"ml\"", 10)
                        + event("2.5", "2000", "\"ak\"", "\"ml\"", 10));
        Ended ended = thalweg("run", JOB.toString(), "--set", "in=" + in, "--set", "out=groups.csv");

        assertThat(ended.code()).isZero();
        assertThat(Files.readAllLines(folder.resolve("groups.csv"))).contains("1970-01-01,ak,ml,2,2.5,2.0,20");
        List<String> letters = Files.readAllLines(folder.resolve("Earthquakes.dead-letters.jsonl"));
        assertThat(letters).hasSize(2);
        assertThat(String.join("", letters))
                .contains("\"line\":2")
                .contains("in.jsonl")
                .contains("no event time")
                .contains(java.util.Base64.getEncoder().encodeToString(bad.getBytes(StandardCharsets.UTF_8)));

        Ended failed = thalweg("run", JOB.toString(), "--set", "in=" + in, "--on-bad", "fail");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.error()).contains("line 2").doesNotContain("\tat ");
    }

    @Test
    void shouldTellMistakesInOneLine() throws Exception {
        assertThat(thalweg("run", "nothing.java").code()).isEqualTo(2);
        assertThat(thalweg("run", JOB.toString(), "--set", "inn=x").code()).isEqualTo(2);
        Ended missing = thalweg("run", JOB.toString(), "--set", "in=missing.jsonl");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.error()).contains("missing.jsonl").doesNotContain("\tat ");
        Ended unwritable = thalweg("run", JOB.toString(), "--set", "out=no/such/folder/x.csv");
        assertThat(unwritable.code()).isEqualTo(1);
        assertThat(unwritable.error()).doesNotContain("\tat ");
    }

    @Test
    void shouldRunAtEveryParallelismWithTheSameResult() throws Exception {
        List<String> first = null;
        for (String parallelism : List.of("1", "2", "4")) {
            Ended ended =
                    thalweg("run", JOB.toString(), "--quiet", "--parallelism", parallelism, "--set", "out=groups.csv");
            assertThat(ended.code()).as(ended.error()).isZero();
            assertThat(ended.error()).isEmpty();
            List<String> sorted = Files.readAllLines(folder.resolve("groups.csv")).stream()
                    .sorted()
                    .toList();
            first = first == null ? sorted : first;
            assertThat(sorted).isEqualTo(first).hasSize(127);
        }
    }
}
