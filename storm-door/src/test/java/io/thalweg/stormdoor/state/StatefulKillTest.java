// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.stormdoor.StormRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.state.DefaultStateSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stateful bolts know after their process was killed. */
@Timeout(900)
@Tag("integration")
final class StatefulKillTest {
    private static final int KILLS = 2;

    /** What bolts may take to end where the machine does other things too. */
    private static final Duration BUSY = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Process start(String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StatefulJob.class.getName(),
                folder.toString()));
        command.addAll(List.of(more));
        return new ProcessBuilder(command)
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

    /** Of all tasks of a component, as the files have it that nobody uses. */
    private <K, V> Map<K, V> committed(String component) throws IOException {
        Map<K, V> all = new HashMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("state/numbers"))) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(component + "-"))
                    .toList()) {
                StateLog log = StateLog.open(file, false);
                DefaultStateSerializer<K> keys = new DefaultStateSerializer<>();
                DefaultStateSerializer<V> values = new DefaultStateSerializer<>();
                log.committed()
                        .forEach((key, value) -> all.put(keys.deserialize(bytes(key)), values.deserialize(value)));
                if (log.prepared() != null) {
                    log.prepared()
                            .forEach((key, value) -> value.ifPresent(
                                    each -> all.put(keys.deserialize(bytes(key)), values.deserialize(each))));
                }
                log.close();
            }
        }
        return all;
    }

    private static byte[] bytes(ByteBuffer key) {
        byte[] bytes = new byte[key.capacity()];
        key.duplicate().get(bytes);
        return bytes;
    }

    @Test
    void shouldKnowWhatWasAckedWhenItWasKilled() throws Exception {
        for (int kill = 1; kill <= KILLS; kill++) {
            int enough = kill * StatefulJob.MANY / (KILLS + 2);
            Process process = start();
            try {
                await(process, () -> StatefulJob.acked(folder).size() >= enough);
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
            Set<Integer> acked = StatefulJob.acked(folder);
            assertThat(this.<Integer, Integer>committed(StatefulJob.COUNT).keySet())
                    .containsAll(acked);
        }
        Process last = start();
        try {
            await(last, () -> StatefulJob.acked(folder).size() == StatefulJob.MANY);
            Files.writeString(folder.resolve("stop"), "");
            assertThat(last.waitFor(4, TimeUnit.MINUTES)).isTrue();
            assertThat(last.exitValue()).isZero();
        } finally {
            last.destroyForcibly();
        }
        Map<Integer, Integer> counts = committed(StatefulJob.COUNT);
        assertThat(counts.keySet())
                .isEqualTo(IntStream.range(0, StatefulJob.MANY).boxed().collect(Collectors.toSet()));
        assertThat(counts.values()).allMatch(times -> times >= 1 && times <= 1 + KILLS);
    }

    @Test
    void shouldKnowTheStateOfAWindowedBolt() throws Exception {
        Path restored = folder.resolve("restored");
        for (int start = 1; start <= 2; start++) {
            int enough = start;
            Process process = start("windows");
            try {
                await(
                        process,
                        () -> StatefulJob.lines(restored).size() == enough
                                && StatefulJob.acked(folder).size() >= 600);
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        }
        List<String> windows = StatefulJob.lines(restored);
        assertThat(windows.get(0)).isEqualTo("0");
        assertThat(Integer.parseInt(windows.get(1))).isPositive();
    }

    @Test
    void shouldRefuseTwoRunsAtOnce() throws Exception {
        StormRun run = StatefulJob.start(folder, false);
        assertThatThrownBy(() -> StatefulJob.start(folder, false)).hasMessageContaining("is used by another run");
        assertThat(run.stop(Duration.ZERO, BUSY)).isTrue();
        assertThat(StatefulJob.start(folder, false).stop(Duration.ZERO, BUSY)).isTrue();
    }
}
