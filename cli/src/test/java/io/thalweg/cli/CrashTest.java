// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs in a JVM of their own that are killed with SIGKILL at random moments and go on from their last checkpoint. What they
 * come to is compared with what nobody killed comes to. More kills: {@code -Dthalweg.kills=100}; a certain run again:
 * {@code -Dthalweg.kills.seed=N}.
 */
@DisabledOnOs(OS.WINDOWS)
final class CrashTest {
    private static final int KILLS = Integer.getInteger("thalweg.kills", 10);
    private static final int LONGEST_MS = 2_500;

    /** Keyed state, a window, rows by checkpoint, a file that appears at the end; twelve seconds if nobody kills it. */
    private static final String COUNTS = """
            Stream<Long> numbers = topology.from(Sources.generate(60_000, i -> i).rate(5_000)).name("numbers");
            numbers.eventTime(i -> i, Duration.ZERO)
                    .keyBy(i -> i % 7)
                    .window(Windows.tumbling(Duration.ofMillis(1_000)))
                    .aggregate(Aggregates.sum(i -> i)).name("sums")
                    .map(r -> r.key() + "," + r.start() + "," + r.value()).as(String.class)
                    .to(io.thalweg.files.TextLines.write("sums/")).name("parts");
            numbers.keyBy(i -> i % 3)
                    .aggregate(Aggregates.<Long>count()).name("counts")
                    .map(k -> k.key() + "," + k.value()).as(String.class).parallelism(1)
                    .to(io.thalweg.files.TextLines.write("counts.csv")).name("file");
            """;

    @TempDir
    Path folder;

    private Cli cli;
    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    @Test
    void shouldWriteEachRowOnce_howeverOftenItIsKilled() throws Exception {
        cli.job("Counts", COUNTS);
        String[] command = {
            "run",
            "Counts.java",
            "--guarantee",
            "exactly-once",
            "--checkpoint-dir",
            "checkpoints",
            "--checkpoint-interval",
            "100ms",
            "--restore",
            "latest",
            "--quiet"
        };

        Cli.Outcome end = killedAndRun(command);

        assertThat(end.code()).as("seed %d: %s", seed, end.error()).isZero();
        assertThat(sorted(rowsOfParts())).as("seed %d", seed).isEqualTo(sorted(expectedSums()));
        assertThat(sorted(Files.readAllLines(folder.resolve("counts.csv"))))
                .as("seed %d", seed)
                .isEqualTo(sorted(expectedCounts()));
    }

    private Cli.Outcome killedAndRun(String... command) throws Exception {
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            Process process = cli.start(command);
            if (process.waitFor(400 + random.nextInt(LONGEST_MS), TimeUnit.MILLISECONDS)) {
                assertThat(process.exitValue()).as("seed %d", seed).isZero();
            }
            process.destroyForcibly().waitFor();
        }
        return cli.run(command);
    }

    private List<String> rowsOfParts() throws IOException {
        List<String> rows = new ArrayList<>();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder.resolve("sums"), "part-*")) {
            for (Path part : parts) {
                rows.addAll(Files.readAllLines(part));
            }
        }
        return rows;
    }

    private static List<String> expectedSums() {
        Map<String, Long> sums = new HashMap<>();
        for (long i = 0; i < 60_000; i++) {
            sums.merge(i % 7 + "," + i / 1_000 * 1_000, i, Long::sum);
        }
        List<String> rows = new ArrayList<>();
        sums.forEach((group, sum) -> rows.add(group + "," + sum));
        return rows;
    }

    private static List<String> expectedCounts() {
        List<String> rows = new ArrayList<>();
        for (long i = 0; i < 60_000; i++) {
            rows.add(i % 3 + "," + (i / 3 + 1));
        }
        return rows;
    }

    private static List<String> sorted(List<String> rows) {
        String[] all = rows.toArray(String[]::new);
        Arrays.sort(all);
        return List.of(all);
    }
}
