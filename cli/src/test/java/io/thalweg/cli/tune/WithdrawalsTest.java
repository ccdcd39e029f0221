// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.doctor.tune.Choice;
import io.thalweg.doctor.tune.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WithdrawalsTest {
    private static final Choice TIMEOUT = Choice.of(Setting.BUFFER_TIMEOUT, "1s");
    private static final Choice BATCH = Choice.of(Setting.BATCH, 2048);

    @TempDir
    private Path folder;

    private Path job;

    @BeforeEach
    void write() throws Exception {
        job = Files.writeString(folder.resolve("Job.java"), "class Job {}");
    }

    private Withdrawals open(String road, String circumstances) {
        return Withdrawals.in(folder.resolve("kept"), job, road, circumstances);
    }

    private List<Choice> of(String road, String circumstances) {
        try (Withdrawals opened = open(road, circumstances)) {
            return opened.choices();
        }
    }

    private void add(String road, Choice choice) {
        try (Withdrawals opened = open(road, "two cores")) {
            opened.add(choice, job);
        }
    }

    @Test
    void shouldRememberForEachRoadWhatWasWithdrawnThere() {
        add("flink", TIMEOUT);
        add("embedded", BATCH);

        assertThat(of("flink", "two cores")).containsExactly(TIMEOUT);
        assertThat(of("embedded", "two cores")).containsExactly(BATCH);
        assertThat(of("storm", "two cores")).isEmpty();
    }

    @Test
    void shouldForgetItElsewhereAndForAnotherJob() throws Exception {
        add("flink", TIMEOUT);

        assertThat(of("flink", "one core")).isEmpty();
        Files.writeString(job, "class Job { }");
        assertThat(of("flink", "two cores")).isEmpty();
    }
}
