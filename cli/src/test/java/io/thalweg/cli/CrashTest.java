// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.SavedCheckpoint;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jobs in a JVM of their own that are killed with SIGKILL and go on from their last checkpoint. What they come to is compared
 * with what nobody killed comes to. More kills: {@code -Pcrash}, or {@code -Dthalweg.kills=100} for each test; the same
 * moments again: {@code -Dthalweg.kills.seed=N}.
 */
@DisabledOnOs(OS.WINDOWS)
@Tag("one-jdk")
@Tag("integration")
final class CrashTest {
    private static final int LINES_PER_SECOND = 4_000;

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    private static String[] restored(String... job) {
        return Stream.concat(
                        Stream.of(job),
                        Stream.of(
                                "--guarantee",
                                "exactly-once",
                                "--checkpoint-dir",
                                "checkpoints",
                                "--checkpoint-interval",
                                "50ms",
                                "--restore",
                                "latest",
                                "--quiet"))
                .toArray(String[]::new);
    }

    /** Lasts about as long as the kills. */
    private WordCount words() throws IOException {
        return new WordCount(cli, folder, LINES_PER_SECOND * (Killer.KILLS + 4) / 3, LINES_PER_SECOND);
    }

    private Killer wordsKiller() {
        return new Killer(
                cli,
                folder.resolve("checkpoints"),
                folder.resolve("out/parts"),
                restored("run", "Words.java", "--parallelism", "2"));
    }

    @Test
    void shouldCountEachWordOnce_howeverOftenItIsKilled() throws Exception {
        WordCount words = words();
        Killer killer = wordsKiller();

        Cli.Outcome end = killer.run(false);

        assertThat(end.code()).as("%s: %s", killer, end.error()).isZero();
        words.check(killer);
    }

    @Test
    void shouldCountEachWordOnce_whereCheckpointsAreDamaged() throws Exception {
        WordCount words = words();
        Killer killer = wordsKiller();

        Cli.Outcome end = killer.run(true);

        assertThat(end.code()).as("%s: %s", killer, end.error()).isZero();
        assertThat(end.error())
                .as("%s", killer)
                .matches("(thalweg: checkpoints/.*; continuing from checkpoint-[0-9]+\\n)*");
        words.check(killer);
    }

    /** The whole job was over: its file in its place, all of its parts visible. */
    @Test
    void shouldComeToTheSame_whereTheLastCheckpointIsDamagedAfterTheEnd() throws Exception {
        WordCount words = new WordCount(cli, folder, 4_000, 10_000);
        String[] command = restored("run", "Words.java");
        Cli.Outcome first = cli.run(command);
        assertThat(first.code()).as(first.error()).isZero();
        words.check("first");
        List<SavedCheckpoint> there = SavedCheckpoint.in(folder.resolve("checkpoints"));
        Path last = there.get(there.size() - 1).path();
        Killer.damage(last, new Random(there.size()));

        Cli.Outcome again = cli.run(command);

        assertThat(again.code()).as(again.error()).isZero();
        assertThat(again.error())
                .matches("thalweg: checkpoints/" + last.getFileName() + " cannot be used: .*; continuing from "
                        + there.get(there.size() - 2).path().getFileName() + "\\n");
        words.check("second");
    }

    @Test
    void shouldRefuseInOneLine_whereAllCheckpointsAreDamaged() throws Exception {
        new WordCount(cli, folder, 4_000, 10_000);
        String[] command = restored("run", "Words.java");
        Cli.Outcome first = cli.run(command);
        assertThat(first.code()).as(first.error()).isZero();
        for (SavedCheckpoint each : SavedCheckpoint.in(folder.resolve("checkpoints"))) {
            Killer.damage(each.path(), new Random(each.bytes()));
        }

        Cli.Outcome again = cli.run(command);

        assertThat(again.error()).matches("thalweg: no checkpoint in checkpoints is whole: .*; to begin again, .*\\n");
        assertThat(again.code()).isEqualTo(1);
    }

    /** Every sum against its closed form, and each row once in the parts. */
    @Test
    void shouldHoldTheClosedFormsOfTelecom_howeverOftenItIsKilled() throws Exception {
        int records = 80_000 * (Killer.KILLS + 4);
        Killer killer = new Killer(
                cli,
                folder.resolve("checkpoints"),
                folder.resolve("out"),
                restored(
                        "run",
                        Path.of("..", "examples", "telecom", "Telecom.java")
                                .toAbsolutePath()
                                .toString(),
                        "--set",
                        "records=" + records,
                        "--set",
                        "rate=200000",
                        "--set",
                        "format=record",
                        "--set",
                        "late=64",
                        "--set",
                        "disorder=5",
                        "--set",
                        "out=out"));

        Cli.Outcome end = killer.run(false);

        assertThat(end.code()).as("%s: %s", killer, end.error()).isZero();
        assertThat(end.out()).as("%s", killer).containsPattern("differences +0\\R");
        assertThat(end.out())
                .as("%s", killer)
                .containsPattern(String.format(Locale.ROOT, "rows +%,d\\R", rowsOfTelecom(killer)));
    }

    private long rowsOfTelecom(Killer killer) throws IOException {
        List<String> rows = new ArrayList<>();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder.resolve("out"), "part-*")) {
            for (Path part : parts) {
                List<String> lines = Files.readAllLines(part);
                rows.addAll(lines.subList(1, lines.size()));
            }
        }
        assertThat(rows).as("%s", killer).doesNotHaveDuplicates();
        return rows.size();
    }
}
