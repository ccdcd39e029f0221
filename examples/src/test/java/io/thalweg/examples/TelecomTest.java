// SPDX-License-Identifier: Apache-2.0
package io.thalweg.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.examples.Thalweg.Ended;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The telecom job through the command line, in a JVM of its own. */
@Tag("one-jdk")
@Tag("integration")
final class TelecomTest {
    private static final Path JOB = Thalweg.job("telecom/Telecom.java");

    /** Of the small size: two windows and some of a third. */
    private static final int RECORDS = 2 * 65_536 + 1_001;

    private static final int FIRST_MEASURE = 1 + 62;

    @TempDir
    private Path folder;

    /** Runs the job with settings, such as {@code size=small}, and with options that begin with {@code --}. */
    private Ended telecom(String... arguments) throws IOException, InterruptedException {
        return new Thalweg(folder).command(commandLine(arguments));
    }

    private static String[] commandLine(String... arguments) {
        List<String> all = new ArrayList<>(List.of("run", JOB.toString()));
        for (String argument : arguments) {
            all.addAll(argument.startsWith("--") ? Arrays.asList(argument.split("=", 2)) : List.of("--set", argument));
        }
        return all.toArray(new String[0]);
    }

    private static String count(String name, long value) {
        return name + " +" + String.format(Locale.ROOT, "%,d", value) + "\\R";
    }

    private static String fingerprint(Ended ended) {
        assertThat(ended.code()).as(ended.out() + ended.error()).isZero();
        return ended.out()
                .lines()
                .filter(line -> line.contains("fingerprint"))
                .findFirst()
                .orElseThrow();
    }

    private long stat(String name) throws IOException {
        String stats = Files.readString(folder.resolve("stats.json"));
        int ofWholeJob = stats.indexOf("\"" + name + "\"");
        return Long.parseLong(stats.substring(ofWholeJob).replaceAll("(?s)^[^:]*:\\s*(\\d+).*", "$1"));
    }

    @ParameterizedTest
    @CsvSource({
        "small, csv, 4, 'region,rat,mvno', 70000",
        "typical, record, 2, all, 20000",
        "worst, json, 1, 'cell_id', 20000",
    })
    void shouldGiveWhatTheClosedFormSays(String size, String format, int parallelism, String dims, long records)
            throws Exception {
        Ended ended = telecom(
                "size=" + size,
                "format=" + format,
                "--parallelism=" + parallelism,
                "dims=" + dims,
                "records=" + records,
                "disorder=3");
        assertThat(ended.code()).as(ended.out() + ended.error()).isZero();
        assertThat(ended.out())
                .containsPattern(count("records", records))
                .containsPattern(count("differences", 0))
                .containsPattern("Late records.*\\R" + " +" + count("records", 0));
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "small, json, 2, all, 70000",
        "small, record, 1, all, 262144",
        "typical, json, 4, 'app,codec', 20000",
        "typical, csv, 1, 'releaseCause', 20000",
        "worst, record, 2, all, 20000"
    })
    void shouldGiveWhatTheClosedFormSaysOfMore(String size, String format, int parallelism, String dims, long records)
            throws Exception {
        Ended ended = telecom(
                "size=" + size,
                "format=" + format,
                "--parallelism=" + parallelism,
                "dims=" + dims,
                "records=" + records,
                "disorder=3");
        assertThat(ended.code()).as(ended.out() + ended.error()).isZero();
        assertThat(ended.out())
                .containsPattern(count("records", records))
                .containsPattern(count("differences", 0))
                .containsPattern("Late records.*\\R" + " +" + count("records", 0));
    }

    @Tag("long")
    @Test
    void shouldGiveTheSameAtAnyParallelismInAnyFormatAndOrder() throws Exception {
        String first = fingerprint(telecom("records=" + RECORDS, "format=record", "--parallelism=1"));
        assertThat(fingerprint(telecom("records=" + RECORDS, "format=csv", "--parallelism=2", "disorder=10")))
                .isEqualTo(first);
        assertThat(fingerprint(telecom("records=" + RECORDS, "format=json", "--parallelism=4", "bad=100")))
                .isEqualTo(first);
    }

    @Test
    void shouldPrintWhatTheGuideShows() throws Exception {
        Ended ended = telecom("records=200000", "disorder=4", "late=64", "bad=1000");
        assertThat(ended.code()).isZero();
        assertThat(guide()).contains(ended.out().lines().toArray(String[]::new));
        assertThat(guide())
                .contains(ended.error()
                        .lines()
                        .filter(line -> line.startsWith("  "))
                        .toArray(String[]::new));
    }

    private static List<String> guide() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "guide", "telecom.md"));
    }

    @ParameterizedTest
    @CsvSource({"csv, 2"})
    void shouldCountLateAndBadRecords(String format, int parallelism) throws Exception {
        Ended ended = telecom(
                "records=" + RECORDS,
                "format=" + format,
                "--parallelism=" + parallelism,
                "disorder=6",
                "late=64",
                "bad=1000",
                "--stats=stats.json");
        long heldBackOfWindow = 65_536 / 64;
        long late = heldBackOfWindow; // those of the first window, emitted after the third
        long bad = RECORDS / 1000 + 1;
        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.out())
                .containsPattern("Late records.*\\R" + " +" + count("records", late))
                .containsPattern(count("records", RECORDS - 2 * heldBackOfWindow - 1_001 / 64))
                .containsPattern(count("differences", 0));
        assertThat(ended.error()).contains(String.format(Locale.ROOT, "%,d late records", late));
        assertThat(ended.error()).contains(String.format(Locale.ROOT, "%,d bad records", bad));
        assertThat(stat("recordsLate")).isEqualTo(late);
        assertThat(stat("recordsBad")).isEqualTo(bad);
        assertThat(Files.readAllLines(folder.resolve("Telecom.dead-letters.jsonl")))
                .hasSize((int) bad);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"json, 1", "record, 4"})
    void shouldCountLateAndBadRecordsInMoreFormats(String format, int parallelism) throws Exception {
        Ended ended = telecom(
                "records=" + RECORDS,
                "format=" + format,
                "--parallelism=" + parallelism,
                "disorder=6",
                "late=64",
                "bad=1000",
                "--stats=stats.json");
        long heldBackOfWindow = 65_536 / 64;
        long late = heldBackOfWindow; // those of the first window, emitted after the third
        long bad = RECORDS / 1000 + 1;
        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.out())
                .containsPattern("Late records.*\\R" + " +" + count("records", late))
                .containsPattern(count("records", RECORDS - 2 * heldBackOfWindow - 1_001 / 64))
                .containsPattern(count("differences", 0));
        assertThat(ended.error()).contains(String.format(Locale.ROOT, "%,d late records", late));
        assertThat(ended.error()).contains(String.format(Locale.ROOT, "%,d bad records", bad));
        assertThat(stat("recordsLate")).isEqualTo(late);
        assertThat(stat("recordsBad")).isEqualTo(bad);
        assertThat(Files.readAllLines(folder.resolve("Telecom.dead-letters.jsonl")))
                .hasSize((int) bad);
    }

    @ParameterizedTest
    @CsvSource({"json, probes.jsonl.gz"})
    void shouldReadBackWhatItSaved(String format, String file) throws Exception {
        String[] settings = {"records=70000", "format=" + format, "late=32", "bad=500", "disorder=5", "dims=rat"};
        assertThat(telecom(with(settings, "save=" + file)).code()).isZero();
        Ended read = telecom(with(settings, "in=" + file));
        assertThat(fingerprint(read)).isEqualTo(fingerprint(telecom(settings)));
        assertThat(read.error()).contains("140 bad records");
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"csv, probes.csv"})
    void shouldReadBackWhatItSavedInAnotherFormat(String format, String file) throws Exception {
        String[] settings = {"records=70000", "format=" + format, "late=32", "bad=500", "disorder=5", "dims=rat"};
        assertThat(telecom(with(settings, "save=" + file)).code()).isZero();
        Ended read = telecom(with(settings, "in=" + file));
        assertThat(fingerprint(read)).isEqualTo(fingerprint(telecom(settings)));
        assertThat(read.error()).contains("140 bad records");
    }

    private static String[] with(String[] settings, String another) {
        return Stream.concat(Stream.of(settings), Stream.of(another)).toArray(String[]::new);
    }

    @Test
    void shouldFailAndNameTheDifference_whereAMeasureWasAltered() throws Exception {
        assertThat(telecom("records=70000", "save=probes.jsonl").code()).isZero();
        Path file = folder.resolve("probes.jsonl");
        List<String> lines = Files.readAllLines(file);
        long bytesUp = Long.parseLong(lines.get(12_345).replaceAll(".*\"bytesUp\":(\\d+).*", "$1"));
        lines.set(12_345, lines.get(12_345).replaceAll("\"bytesUp\":\\d+", "\"bytesUp\":" + (bytesUp + 17)));
        Files.write(file, lines);

        Ended ended = telecom("records=70000", "in=probes.jsonl", "dims=region");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).containsPattern(count("differences", 1));
        String difference = ended.out()
                .lines()
                .filter(line -> line.contains("bytesUp is "))
                .findFirst()
                .orElseThrow()
                .strip();
        assertThat(difference).startsWith("window 2025-01-01T00:00:00Z, [");
        String[] numbers = difference
                .replaceAll(".*bytesUp is (\\d+), expected (\\d+)$", "$1 $2")
                .split(" ");
        assertThat(Long.parseLong(numbers[0]) - Long.parseLong(numbers[1])).isEqualTo(17);
        assertThat(ended.error()).contains("1 difference from the closed form").contains(difference);
        assertThat(guide()).contains(ended.out().lines().toArray(String[]::new));
        assertThat(ended.error()).doesNotContain("\tat ");
    }

    @Test
    void shouldFail_whereRecordsAreMissing() throws Exception {
        assertThat(telecom("records=1000", "save=probes.jsonl").code()).isZero();
        Ended ended = telecom("records=70000", "in=probes.jsonl", "dims=region");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error()).contains("from the closed form");
        Ended others = telecom("records=1000", "in=probes.jsonl", "size=typical", "dims=region");
        assertThat(others.code()).isEqualTo(1);
    }

    @Test
    void shouldWriteTheSums() throws Exception {
        assertThat(telecom("records=" + RECORDS, "format=csv", "save=probes.csv")
                        .code())
                .isZero();
        Map<String, BigDecimal[]> expected = sumsByRegionAndCdn(folder.resolve("probes.csv"));

        Ended ended = telecom("records=" + RECORDS, "dims=region,cdn", "out=sums", "--parallelism=2");
        assertThat(ended.code()).as(ended.error()).isZero();
        Map<String, List<String>> written = rows(folder.resolve("sums"));
        assertThat(written.keySet()).isEqualTo(expected.keySet());
        expected.forEach((group, sums) -> {
            List<String> row = written.get(group);
            for (int m = 0; m < sums.length; m++) {
                if (sums[m] == null) {
                    assertThat(row.get(m)).as(group).isEmpty();
                } else {
                    assertThat(new BigDecimal(row.get(m))).as(group).isEqualByComparingTo(sums[m]);
                }
            }
        });
    }

    /** Goes through the lines of a file one by one; null if all of a group are. */
    private static Map<String, BigDecimal[]> sumsByRegionAndCdn(Path file) throws IOException {
        Map<String, BigDecimal[]> sums = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            List<String> header = List.of(lines.readLine().split(","));
            int region = header.indexOf("region");
            int cdn = header.indexOf("cdn");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split(",", -1);
                long window = Long.parseLong(fields[0]) / 300_000 * 300_000;
                BigDecimal[] sum = sums.computeIfAbsent(
                        window + "," + fields[region] + "," + fields[cdn],
                        key -> new BigDecimal[fields.length - FIRST_MEASURE]);
                for (int m = 0; m < sum.length; m++) {
                    String field = fields[FIRST_MEASURE + m];
                    if (!field.isEmpty()) {
                        BigDecimal value = new BigDecimal(field);
                        sum[m] = sum[m] == null ? value : sum[m].add(value);
                    }
                }
            }
        }
        return sums;
    }

    /** The sums of all parts by window start, region and cdn. */
    private static Map<String, List<String>> rows(Path folder) throws IOException {
        Map<String, List<String>> rows = new HashMap<>();
        try (Stream<Path> parts = Files.list(folder)) {
            for (Path part : parts.toList()) {
                List<String> lines = Files.readAllLines(part);
                assertThat(lines.get(0)).startsWith("windowStart,windowEnd,region,cdn,records,bytesUp,");
                for (String line : lines.subList(1, lines.size())) {
                    List<String> fields = List.of(line.split(",", -1));
                    String group = fields.get(0) + "," + fields.get(2) + "," + fields.get(3);
                    assertThat(rows.put(group, fields.subList(4, fields.size())))
                            .isNull();
                }
            }
        }
        return rows;
    }

    @Test
    void shouldCheckWhatCameBeforeItWasStopped() throws Exception {
        Process process =
                new Thalweg(folder).start(commandLine("records=0", "format=record", "rate=200000", "dims=region"));
        try (BufferedReader error =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            String line = error.readLine();
            while (line != null && !line.startsWith("thalweg: after ")) {
                line = error.readLine();
            }
            assertThat(line).isNotNull();
            process.toHandle().destroy(); // leaves the pipes open
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(out).contains("before the run was stopped").containsPattern(count("differences", 0));
            assertThat(Thalweg.end(process)).isEqualTo(143);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Jackson's tree and the declared record. */
    @Test
    void shouldFlattenTheSameWithEitherReader() throws Exception {
        assertThat(telecom("records=5000", "save=probes.jsonl").code()).isZero();
        Map<String, Long> bytes = new TreeMap<>();
        Pattern fields = Pattern.compile("\"region\":\"([^\"]+)\".*\"bytesUp\":(\\d+)");
        for (String line : Files.readAllLines(folder.resolve("probes.jsonl"))) {
            Matcher matcher = fields.matcher(line);
            assertThat(matcher.find()).as(line).isTrue();
            bytes.merge(matcher.group(1), Long.parseLong(matcher.group(2)), Long::sum);
        }
        assertThat(bytes).hasSizeGreaterThan(5);
        String job = Files.readString(
                Path.of("telecom-flattener/Flatten.java")); // what it declares is on the class path here
        Path flatten = Files.writeString(folder.resolve("Flatten.java"), job.replaceAll("(?m)^//DEPS.*$", ""));
        for (String reader : List.of("tree", "record")) {
            Ended ended = new Thalweg(folder)
                    .command(
                            "run",
                            flatten.toString(),
                            "--quiet",
                            "--set",
                            "in=probes.jsonl",
                            "--set",
                            "reader=" + reader);

            assertThat(ended.code()).as(ended.error()).isZero();
            Map<String, Long> sums = new TreeMap<>();
            ended.out().lines().skip(2).forEach(line -> {
                String[] row = line.strip().split(" +");
                sums.put(row[0], Long.parseLong(row[row.length - 1]));
            });
            assertThat(sums).as(reader).isEqualTo(bytes);
        }
    }

    @Test
    void shouldRefuseSettingsThatDoNotFit() throws Exception {
        for (String setting : List.of(
                "size=huge",
                "format=xml",
                "dims=region,rot",
                "late=3",
                "bad=-1",
                "disorder=17",
                "rate=x",
                "in=x.csv")) {
            Ended ended = setting.startsWith("in=") ? telecom(setting, "format=record") : telecom(setting);
            assertThat(ended.code()).as(setting).isEqualTo(2);
            assertThat(ended.error()).contains(setting.substring(0, setting.indexOf('=')));
            assertThat(ended.error().lines()).hasSize(1);
        }
        Ended missing = telecom("in=missing.jsonl");
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.error()).contains("missing.jsonl").doesNotContain("\tat ");
    }
}
