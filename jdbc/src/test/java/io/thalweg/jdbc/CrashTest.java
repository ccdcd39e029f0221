// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job in a JVM of its own that inserts into PostgreSQL, killed with SIGKILL in each phase of its sink, with other parallelisms, while
 * the server restarts now and then. The table has no key, so a row that is written twice is there twice. More kills: {@code -Pcrash},
 * or {@code -Dthalweg.kills=100}; the same moments again: {@code -Dthalweg.kills.seed=N}.
 */
@Timeout(900)
@Tag("one-jdk")
final class CrashTest {
    private static final int KILLS = Integer.getInteger("thalweg.kills", 6);
    private static final List<String> MOMENTS = List.of("saved", "commit", "committed", "restore", "restored", "save");
    private static final long MOST_LATER_NS = 4_000_000;
    private static final int SERVER_EVERY = 3;

    @TempDir
    Path folder;

    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);
    private final Random random = new Random(seed);
    private final Map<String, Integer> killed = new TreeMap<>();

    @Test
    void shouldWriteEachRowOnce_howeverOftenItIsKilled() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        int records = 4_000 * (KILLS + 2);
        try (TestPostgres server = TestPostgres.start()) {
            String url = server.database();
            Database.execute(url, "create table items (id bigint)");
            for (int kill = 0; kill < KILLS; kill++) {
                boolean restarts = kill % SERVER_EVERY == SERVER_EVERY - 1;
                kill(url, records, MOMENTS.get(kill % MOMENTS.size()), restarts ? server : null);
            }
            Process last = start(url, records, 2);
            String told = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(last.waitFor())
                    .as("%s: %s", this, Files.readString(folder.resolve("error")))
                    .isZero();
            assertThat(told).endsWith("end\n");
            assertThat(Database.rows(url, "select count(*), count(distinct id), min(id), max(id) from items"))
                    .as("%s", this)
                    .containsExactly(records + "," + records + ",0," + (records - 1));
            System.out.println(this);
        }
    }

    /** Some time after it has told a moment, or before that if it ends; with the server restarted in between, if one is given. */
    private void kill(String url, int records, String moment, TestPostgres restarted) throws Exception {
        Process job = start(url, records, 1 + random.nextInt(3));
        int skipped = moment.startsWith("restore") ? 0 : random.nextInt(6);
        String kind = "ended";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(job.getInputStream(), StandardCharsets.UTF_8))) {
            boolean again = restarted != null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (again && line.equals("committed")) {
                    restarted.kill();
                    restarted.begin();
                    again = false;
                }
                if (!again && line.equals(moment) && skipped-- == 0) {
                    kind = moment + (restarted == null ? "" : " after the server's restart");
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

    private Process start(String url, int records, int parallelism) throws IOException {
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
                        String.valueOf(parallelism))
                .redirectError(folder.resolve("error").toFile())
                .start();
    }

    @Override
    public String toString() {
        return "thalweg.kills.seed=" + seed + ", killed after: " + killed;
    }
}
