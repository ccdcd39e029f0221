// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trident's exactly-once where its process is killed. The same places of kills again: {@code -Dthalweg.kills.seed=N}. */
@Timeout(900)
@Tag("integration")
final class TridentKillTest {
    private static final int KILLS = 3;

    @TempDir
    private Path folder;

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TridentJob.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private void await(Process process, BooleanSupplier condition) throws IOException, InterruptedException {
        while (!condition.getAsBoolean()) {
            assertThat(process.isAlive())
                    .as(Files.readString(folder.resolve("said")))
                    .isTrue();
            process.waitFor(1, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void shouldCountEachTupleOnce() throws Exception {
        long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffffff);
        Random random = new Random(seed);
        for (int kill = 0; kill < KILLS; kill++) {
            int enough = kill * TridentJob.BATCHES / KILLS + 1 + random.nextInt(TridentJob.BATCHES / KILLS);
            Process process = start();
            try {
                await(process, () -> TridentJob.batches(folder, "emitted").contains((long) enough));
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        }
        Process last = start();
        try {
            await(
                    last,
                    () -> TridentJob.batches(folder, "acked").stream().anyMatch(batch -> batch > TridentJob.BATCHES));
            Files.writeString(folder.resolve("stop"), "");
            assertThat(last.waitFor(4, TimeUnit.MINUTES)).isTrue();
            assertThat(last.exitValue()).isZero();
        } finally {
            last.destroyForcibly();
        }
        assertThat(TridentJob.counted(folder))
                .as("-Dthalweg.kills.seed=%d", seed)
                .isEqualTo(TridentJob.expected());
        List<Long> emitted = TridentJob.batches(folder, "emitted");
        assertThat(emitted.stream().filter(batch -> batch == 1))
                .as("transactions do not begin anew: %s", emitted)
                .hasSizeLessThanOrEqualTo(2);
    }
}
