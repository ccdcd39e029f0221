// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import io.thalweg.jdbc.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Earthquakes into databases through the command line, in a JVM of its own, against the same events counted by hand. */
@Tag("integration")
final class PostgresEarthquakesTest {
    private static final Path EVENTS = Thalweg.job("earthquakes/earthquakes.jsonl");
    private static final Pattern TIME = Pattern.compile("\"time\":(-?\\d+)");
    private static final Pattern NET = Pattern.compile("\"net\":\"(\\w+)\"");
    private static final Pattern SIG = Pattern.compile("\"sig\":(\\d+)");

    @TempDir
    private Path folder;

    private Path job;

    /** Without the line of its drivers, which are on the class path here, so that nothing is fetched. */
    @BeforeEach
    void copyJob() throws Exception {
        String source = Files.readString(Thalweg.job("postgres-earthquakes/PostgresEarthquakes.java"));
        job = Files.writeString(folder.resolve("PostgresEarthquakes.java"), source.replaceAll("(?m)^//DEPS.*$", ""));
    }

    private static long number(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        assertThat(found.find()).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static Map<String, String> expected() throws Exception {
        TreeMap<String, long[]> sums = new TreeMap<>();
        for (String line : Files.readAllLines(EVENTS)) {
            Matcher net = NET.matcher(line);
            assertThat(net.find()).isTrue();
            Instant time = Instant.ofEpochMilli(number(TIME, line));
            String key = time.atOffset(ZoneOffset.UTC).toLocalDate() + " " + net.group(1);
            long[] sum = sums.computeIfAbsent(key, each -> new long[2]);
            sum[0]++;
            sum[1] += number(SIG, line);
        }
        TreeMap<String, String> rows = new TreeMap<>();
        sums.forEach((key, sum) -> rows.put(key, sum[0] + " " + sum[1]));
        return rows;
    }

    private void run(String url, String... more) throws Exception {
        String[] command = {"run", job.toString(), "--quiet", "--set", "in=" + EVENTS, "--set", "url=" + url};
        String[] all = java.util.stream.Stream.concat(java.util.Arrays.stream(command), java.util.Arrays.stream(more))
                .toArray(String[]::new);
        Ended ended = new Thalweg(folder).command(all);
        assertThat(ended.code()).as(ended.error()).isZero();
        TreeMap<String, String> found = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select cast(day as varchar), net, quakes_n, quakes_sum_sig from quakes_by_day")) {
            while (rows.next()) {
                String key = rows.getString(1) + " " + rows.getString(2);
                assertThat(found.put(key, rows.getLong(3) + " " + rows.getLong(4)))
                        .isNull();
            }
        }
        assertThat(found).isEqualTo(expected());
    }

    /** The second time, rows are replaced. */
    @Test
    void shouldWriteAFileOfSqlite_twice() throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("quakes.db");
        run(url);
        run(url, "--parallelism", "4");
    }

    @Test
    void shouldWriteToPostgres_exactlyOnce() throws Exception {
        Assumptions.assumeTrue(TestPostgres.missing().isEmpty(), TestPostgres.missing());
        String url = TestPostgres.shared().database();
        run(url, "--guarantee", "exactly-once", "--checkpoint-dir", "checkpoints", "--checkpoint-interval", "50ms");
    }
}
