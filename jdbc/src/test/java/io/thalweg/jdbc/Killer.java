// SPDX-License-Identifier: Apache-2.0
package io.thalweg.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.api.connector.Guarantee;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Starts a {@link CrashJob} again and again, and kills it at moments that it tells. The table has no key, so a row that is written twice
 * is there twice. More kills: {@code -Pcrash}, or {@code -Dthalweg.kills=100}; the same moments again:
 * {@code -Dthalweg.kills.seed=N}.
 */
public final class Killer {
    private static final List<String> MOMENTS = List.of("saved", "commit", "committed", "restore", "restored", "save");
    private static final long MOST_LATER_NS = 4_000_000;
    private static final int RECORDS_EACH = 4_000;

    private final Class<?> job;
    private final List<String> options;
    private final Path folder;
    private final String url;
    private final Guarantee guarantee;
    private final int kills;
    private final int records;
    private final long seed = Long.getLong("thalweg.kills.seed", System.nanoTime() & 0xffff);
    private final Random random = new Random(seed);
    private final Map<String, Integer> killed = new TreeMap<>();

    /** What else happens while a job runs. */
    @FunctionalInterface
    interface Trouble {
        void happen() throws Exception;
    }

    /**
     * @param job its main method takes the arguments of {@link CrashJob}
     * @param options of its JVM
     * @param url of a database for the table
     */
    public Killer(Class<?> job, List<String> options, Path folder, String url, Guarantee guarantee, int kills)
            throws Exception {
        this.job = job;
        this.options = options;
        this.folder = folder;
        this.url = url;
        this.guarantee = guarantee;
        this.kills = kills;
        records = RECORDS_EACH * (kills + 2);
        Database.execute(url, "create table items (id bigint)");
    }

    /** So often by default, or as often as is asked for. */
    public static int kills(int byDefault) {
        return Integer.getInteger("thalweg.kills", byDefault);
    }

    /** Kills it so often, then lets it run to its end, and checks that each row is there once, or at least once. */
    public void shouldKeepItsPromise() throws Exception {
        shouldKeepItsPromise(kills + 1, () -> {});
    }

    /** @param every how many kills the trouble happens before one */
    void shouldKeepItsPromise(int every, Trouble trouble) throws Exception {
        boolean ended = false;
        for (int kill = 0; kill < kills && !ended; kill++) {
            ended = !kill(MOMENTS.get(kill % MOMENTS.size()), kill % every == every - 1 ? trouble : null);
        }
        if (!ended) { // a job of Flink that has ended keeps no checkpoint, and would begin again
            Process last = start(2);
            String told = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            checkEnd(last);
            assertThat(told).endsWith("end\n");
        }
        String rows = guarantee == Guarantee.EXACTLY_ONCE ? "count(*)" : records + " + 0 * count(*)";
        assertThat(Database.rows(url, "select " + rows + ", count(distinct id), min(id), max(id) from items"))
                .as("%s", this)
                .containsExactly(records + "," + records + ",0," + (records - 1));
        System.out.println(this);
    }

    private void checkEnd(Process ended) throws Exception {
        assertThat(ended.waitFor())
                .as("%s: %s", this, Files.readString(folder.resolve("error")))
                .isZero();
    }

    /**
     * Some time after it has told a moment.
     *
     * @return false if it came to its end before that
     */
    private boolean kill(String moment, Trouble trouble) throws Exception {
        Process process = start(1 + random.nextInt(3));
        int skipped = moment.startsWith("restore") ? 0 : random.nextInt(6);
        String kind = "ended";
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            boolean waits = trouble != null;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (waits && line.equals("committed")) {
                    trouble.happen();
                    waits = false;
                }
                if (!waits && line.equals(moment) && skipped-- == 0) {
                    kind = moment + (trouble == null ? "" : " after the server's restart");
                    LockSupport.parkNanos((long) (random.nextDouble() * MOST_LATER_NS));
                    break;
                }
                // a job that restores nothing tells nothing of it
                if (moment.startsWith("restore") && line.equals("committed") && killed.isEmpty()) {
                    kind = "begun";
                    break;
                }
            }
            if (kind.equals("ended")) {
                checkEnd(process);
            }
            process.destroyForcibly().waitFor();
        }
        killed.merge(kind, 1, Integer::sum);
        return !kind.equals("ended");
    }

    private Process start(int parallelism) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp"))));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                job.getName(),
                url,
                folder.resolve("checkpoints").toString(),
                String.valueOf(records),
                String.valueOf(parallelism),
                guarantee.name()));
        return new ProcessBuilder(command)
                .redirectError(folder.resolve("error").toFile())
                .start();
    }

    @Override
    public String toString() {
        return guarantee.words() + ": thalweg.kills.seed=" + seed + ", killed after: " + killed;
    }
}
