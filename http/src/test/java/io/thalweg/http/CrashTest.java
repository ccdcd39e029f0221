// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job in a JVM of its own that sends to a service, killed with SIGKILL in each phase of its sink, with other parallelisms. The service
 * answers some requests with 503, does some without answering, and is away now and then. With {@code -Pcrash} alone; more kills: {@code
 * -Dthalweg.kills=100}; the same moments again: {@code -Dthalweg.kills.seed=N}.
 */
@Timeout(3_600)
@Tag("one-jdk")
@Tag("crash")
final class CrashTest {
    private static final int KILLS = Integer.getInteger("thalweg.kills", 4);
    private static final List<String> MOMENTS = List.of("saved", "commit", "restore", "committed", "save", "restored");
    private static final long MOST_LATER_NS = 4_000_000;
    private static final int AWAY_EVERY = 3;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);
    private final Random random = new Random(seed);
    private final Random faults = new Random(seed + 1);
    private final Map<String, Integer> killed = new TreeMap<>();

    @ParameterizedTest
    @EnumSource(names = {"AT_LEAST_ONCE", "EXACTLY_ONCE"})
    void shouldLoseNothing_howeverOftenItIsKilled(Guarantee guarantee) throws Exception {
        boolean once = guarantee == Guarantee.EXACTLY_ONCE;
        int kills = once ? KILLS : KILLS / 2;
        int records = 4_000 * (kills + 2);
        TestService.Store store = new TestService.Store(true, id -> false);
        try (TestService service = new TestService(request -> answer(store, request))) {
            for (int kill = 0; kill < kills; kill++) {
                boolean away = kill % AWAY_EVERY == AWAY_EVERY - 1;
                kill(guarantee, service, records, MOMENTS.get(kill % MOMENTS.size()), away);
            }
            Process last = start(guarantee, service.url(), records, 2);
            String told = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(last.waitFor())
                    .as("%s: %s", this, Files.readString(folder.resolve("error")))
                    .isZero();
            assertThat(told).endsWith("end\n");
        }
        List<Long> all = LongStream.range(0, records).boxed().toList();
        assertThat(new TreeSet<>(store.ids())).as("%s", this).containsExactlyElementsOf(all);
        if (once) {
            assertThat(store.ids()).as("%s", this).hasSize(records);
        }
        System.out.println(guarantee + ": " + this + ", " + (store.ids().size() - records) + " records twice");
    }

    private synchronized TestService.Reply answer(TestService.Store store, TestService.Request request) {
        return switch (faults.nextInt(20)) {
            case 0 -> TestService.status(503, "");
            case 1 -> {
                store.answer(request);
                yield TestService.cutShort();
            }
            default -> store.answer(request);
        };
    }

    /** Some time after it has told a moment, or before that if it ends; with a service that is away in between. */
    private void kill(Guarantee guarantee, TestService service, int records, String moment, boolean away)
            throws Exception {
        Process job = start(guarantee, service.url(), records, 1 + random.nextInt(3));
        int skipped = moment.startsWith("restore") ? 0 : random.nextInt(6);
        String kind = "ended";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(job.getInputStream(), StandardCharsets.UTF_8))) {
            boolean again = away;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (again && line.equals("saved")) {
                    service.stop();
                    service.begin();
                    again = false;
                }
                if (!again && line.equals(moment) && skipped-- == 0) {
                    kind = moment + (away ? " after the service was away" : "");
                    LockSupport.parkNanos((long) (random.nextDouble() * MOST_LATER_NS));
                    break;
                }
                // a job that restores nothing tells nothing of it
                if (moment.startsWith("restore") && line.equals("committed") && killed.isEmpty()) {
                    break;
                }
            }
            job.destroyForcibly().waitFor();
        }
        killed.merge(kind, 1, Integer::sum);
    }

    private Process start(Guarantee guarantee, String url, int records, int parallelism) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashJob.class.getName(),
                        url,
                        folder.resolve("checkpoints").toString(),
                        String.valueOf(records),
                        String.valueOf(parallelism),
                        guarantee.name())
                .redirectError(folder.resolve("error").toFile())
                .start();
    }

    @Override
    public String toString() {
        return "thalweg.kills.seed=" + seed + ", killed after: " + killed;
    }
}
