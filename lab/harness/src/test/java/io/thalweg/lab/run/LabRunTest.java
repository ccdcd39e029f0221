// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.lab.LabException;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.report.MadeUp;
import io.thalweg.lab.result.CellResult;
import io.thalweg.lab.result.ResultFiles;
import io.thalweg.lab.result.Results;
import io.thalweg.lab.result.RunResult;
import io.thalweg.lab.result.SchemaCheck;
import io.thalweg.lab.result.SecretSettings;
import io.thalweg.lab.study.Studies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
@Tag("integration")
final class LabRunTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    /** Long enough for a busy machine where something must come; else short, whether the rate has settled or not. */
    private static final Timing SHORT =
            new Timing(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofMillis(600), LONG, LONG);

    /** Measures several times until the rate has settled. */
    private static final Timing PATIENT =
            new Timing(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(3), LONG, LONG);

    /** Measures for so long that samplers, which look once a second, have looked often, even if each look takes a second. */
    private static final Timing LONG_ENOUGH =
            new Timing(Duration.ofSeconds(5), Duration.ofMillis(200), Duration.ofSeconds(1), LONG, LONG);

    /** Does not wait long for what never ends. */
    private static final Timing IMPATIENT = new Timing(
            Duration.ofSeconds(2), Duration.ofMillis(200), Duration.ofSeconds(2), LONG, Duration.ofSeconds(4));

    /** At 20,000 a second, enough for a run to be measured before its end, even if nobody looks at it for seconds. */
    private static final String LASTING = "100_000";

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();

    @Test
    void shouldMeasureWhatIsRightAndSayWhatIsWrong() throws Exception {
        Set<Path> before = temporary();
        Results results = measured("none", Map.of());
        CellResult right = results.cells().get(0);
        assertThat(right.valid()).isTrue();
        assertThat(right.engine()).isEqualTo("faulty");
        assertThat(right.version()).isEqualTo("1.2.3");
        assertThat(right.recordsPerS().median()).isPositive();
        assertThat(right.runs().get(0).received()).isEqualTo(right.runs().get(0).sent());
        assertThat(right.runs().get(0).series()).isNotEmpty();
        assertThat(right.rssMb()).isPositive();
        assertThat(right.checked())
                .isEqualTo(new CellResult.Checked(right.checked().records(), 0, 0, 0, 0, 0));
        assertThat(right.checked().records()).isGreaterThanOrEqualTo(100);
        if (Files.isDirectory(Path.of("/proc/self/task"))) {
            assertThat(right.runs().get(0).series()).anyMatch(second -> second.contextSwitches() > 0);
        }
        assertThat(right.cpuSPerMillion()).isPositive();
        assertThat(right.jvms()).singleElement().satisfies(jvm -> {
            assertThat(jvm.flags()).containsExactly("-Xmx64m");
            assertThat(jvm.heapMb()).isEqualTo(64);
            assertThat(jvm.java()).endsWith(Runtime.version().toString());
            assertThat(jvm.collectors()).isNotEmpty();
        });
        assertThat(SchemaCheck.errors(results)).isEmpty();

        Results wrong = run(
                List.of("refuses", "loses", "repeats", "alters", "damages", "throws", "dies"),
                Map.of("rate", "40_000", "records", "20_000"), // so that each comes to where it goes wrong
                1);
        Map<String, CellResult> cells = new LinkedHashMap<>();
        wrong.cells().forEach(cell -> cells.put(cell.variant(), cell));
        assertThat(cells.values()).allSatisfy(cell -> {
            assertThat(cell.recordsPerS()).as(cell.variant()).isNull();
            assertThat(cell.valid()).as(cell.variant()).isFalse();
        });
        assertThat(cells.get("refuses").reason()).isEqualTo("it does not want to");
        assertThat(cells.get("refuses").runs()).isEmpty();
        assertThat(cells.get("loses").reason()).startsWith("lost 1 of ");
        assertThat(cells.get("repeats").reason()).startsWith("1 records too many came out of ");
        assertThat(cells.get("alters").reason()).isEqualTo("the numbers of the records that came out do not add up");
        assertThat(cells.get("damages").reason()).isEqualTo("1 records came out damaged");
        assertThat(cells.get("throws").reason()).isEqualTo("IOException: the port is taken");
        assertThat(cells.get("dies").reason()).isEqualTo("its process ended: cannot go on");

        assertThat(ProcessHandle.current().descendants()).as("processes left").noneMatch(ProcessHandle::isAlive);

        assertThat(before).as("what the driver that died had put there").containsAll(temporary());

        for (Results each : List.of(results, wrong)) {
            Path file = folder.resolve("results.json");
            ResultFiles.write(each, file);
            assertThat(ResultFiles.read(file)).isEqualTo(each);
        }
    }

    /** What drivers of this kind have left, those of other runs of this test too. */
    private static Set<Path> temporary() throws IOException {
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(each -> each.getFileName().toString().startsWith("faulty-driver"))
                    .collect(Collectors.toSet());
        }
    }

    @Test
    void shouldKillAProcessAndSayWhenItsRateIsBack_andWhatIsLost() throws Exception {
        List<CellResult> cells = run(
                        List.of("continues", "skips"),
                        Map.of("kill", "worker", "guarantee", "at-least-once", "rate", "20_000"),
                        1)
                .cells();

        CellResult right = cells.get(0);
        assertThat(right.reason()).isNull();
        assertThat(right.recordsPerS().median()).isPositive();
        assertThat(right.checked()).isNull();
        assertThat(right.recoveries()).singleElement().satisfies(recovery -> {
            assertThat(recovery.recoverySeconds()).isPositive();
            assertThat(recovery.silentSeconds()).isPositive();
            assertThat(recovery.lost()).isZero();
            assertThat(recovery.repeated()).isLessThan(20_000);
        });

        CellResult wrong = cells.get(1);
        assertThat(wrong.recordsPerS()).isNull();
        assertThat(wrong.reason()).matches("lost \\d+ of \\d+ records after a process was killed");
        assertThat(wrong.recoveries())
                .singleElement()
                .satisfies(recovery -> assertThat(recovery.lost()).isBetween(1_000L, 2_000L));
    }

    @Test
    void shouldNotProfileWhatItKills() throws Exception {
        LabRun.Wish wish = wish(List.of("continues"), Map.of("kill", "worker", "guarantee", "at-least-once"), 1);
        try (LabRun lab = lab()) {
            CellResult cell = lab.run(
                            new LabRun.Wish(
                                    wish.studies(),
                                    wish.engines(),
                                    wish.quick(),
                                    wish.seconds(),
                                    wish.runs(),
                                    folder.resolve("profiles")),
                            SHORT)
                    .cells()
                    .get(0);
            assertThat(cell.reason()).startsWith("a run in which a process is killed cannot be profiled");
        }
    }

    @Test
    void shouldSayThatARunHangs_andEndItsProcesses() throws Exception {
        try (LabRun lab = lab()) {
            CellResult cell = lab.run(wish(List.of("hangs"), Map.of(), 1), IMPATIENT)
                    .cells()
                    .get(0);
            assertThat(cell.recordsPerS()).isNull();
            assertThat(cell.valid()).isFalse();
            assertThat(cell.reason()).startsWith("it did not end: 1000 of 1001 records");
        }
        assertThat(ProcessHandle.current().descendants()).as("processes left").noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void shouldTakeTurnsAndSumUpTheRuns() throws Exception {
        Results results =
                run(List.of("none", "other"), Map.of("rate", "20_000", "records", LASTING, "payload", "1_000"), 2);

        assertThat(results.cells()).hasSize(2).allSatisfy(cell -> {
            assertThat(cell.runs()).hasSize(2);
            List<RunResult> settled =
                    cell.runs().stream().filter(RunResult::settled).toList();
            List<RunResult> counted = settled.isEmpty() ? cell.runs() : settled;
            assertThat(cell.recordsPerS().runs()).isEqualTo(counted.size());
            assertThat(cell.recordsPerS().median())
                    .isBetween(
                            counted.stream().mapToDouble(LabRunTest::rate).min().orElseThrow(),
                            counted.stream().mapToDouble(LabRunTest::rate).max().orElseThrow());
            assertThat(cell.runs()).allSatisfy(run -> assertThat(run.received()).isEqualTo(100_000));
        });
        for (int round = 0; round < 2; round++) {
            int first = 2 * round + 1;
            int index = round;
            assertThat(results.cells())
                    .as("in any order within a round")
                    .extracting(cell -> cell.runs().get(index).turn())
                    .containsExactlyInAnyOrder(first, first + 1);
        }
    }

    private static double rate(RunResult run) {
        return Objects.requireNonNull(run.recordsPerS());
    }

    @Test
    void shouldMarkWhatStillRisesInTheLastPartThatItMayMeasure() throws Exception {
        CellResult cell;
        try (LabRun lab = lab()) {
            cell = lab.run(wish(List.of("rises"), Map.of(), 1), PATIENT).cells().get(0);
        }
        assertThat(cell.valid()).isTrue();
        assertThat(cell.hasSettled()).isFalse();
        RunResult run = cell.runs().get(0);
        assertThat(run.settled()).isFalse(); // TrendTest has the figures
        assertThat(lastRun()).endsWith("records/s (not settled)");
    }

    @Test
    void shouldKeepAllLatenciesOfTheMeasuredPart() throws Exception {
        Results results = measured("times", Map.of("rate", "20_000"));

        RunResult run = results.cells().get(0).runs().get(0);
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(run.latencyHistogram()));
        Histogram latencies = Histogram.decodeFromCompressedByteBuffer(bytes, 0);
        assertThat(latencies.getValueAtPercentile(99) / 1e3)
                .isEqualTo(run.latencyUs().p99());
        assertThat(latencies.getMaxValue() / 1e3).isEqualTo(run.latencyUs().max());
        assertThat(SchemaCheck.errors(results)).isEmpty();
    }

    @Test
    void shouldCountWhatARunAllocates_andWhatItsCpuTimeIs() throws Exception {
        Results results = measured("allocates", Map.of("rate", "200_000"));

        CellResult cell = results.cells().get(0);
        RunResult run = cell.runs().get(0);
        assertThat(run.allocatedBytesPerRecord())
                .as("one array a record, and whatever the JVM does besides")
                .isBetween(0.9 * FaultyDriver.ALLOCATED, 1.3 * FaultyDriver.ALLOCATED);
        assertThat(run.cpuSPerMillion()).isPositive();
        assertThat(run.profile()).isNull();
        assertThat(cell.allocatedBytesPerRecord()).isEqualTo(run.allocatedBytesPerRecord());
        assertThat(cell.cpuSPerMillion()).isEqualTo(run.cpuSPerMillion());
        assertThat(SchemaCheck.errors(results)).isEmpty();
    }

    @Test
    void shouldKeepARecordingAndFlameGraphsOfEachRun_whichThenEnterNoRatio() throws Exception {
        Path profiles = folder.resolve("profiles");
        Results results;
        try (LabRun lab = lab()) {
            LabRun.Wish plain = wish(List.of("allocates"), Map.of("rate", "200_000"), 2);
            LabRun.Wish profiled = new LabRun.Wish(
                    plain.studies(), plain.engines(), plain.quick(), plain.seconds(), plain.runs(), profiles);
            results = lab.run(profiled, LONG_ENOUGH);
        }

        CellResult cell = results.cells().get(0);
        assertThat(cell.figure()).isNotNull();
        assertThat(cell.wasProfiled()).isTrue();
        assertThat(cell.settledFigure()).as("nothing to compare").isNull();
        for (RunResult run : cell.runs()) {
            String name = "faults.one-faulty-allocates-run-" + run.turn();
            assertThat(run.profile().files()).containsExactly(name + ".jfr", name + ".html");
            assertThat(run.profile().allocatedBytesPerRecord())
                    .as("by samples")
                    .isBetween(0.6 * FaultyDriver.ALLOCATED, 1.6 * FaultyDriver.ALLOCATED);
            assertThat(profiles.resolve(name + ".jfr")).isNotEmptyFile();
            assertThat(Files.readString(profiles.resolve(name + ".html")))
                    .contains("<title>faults.one, faulty allocates, run " + run.turn() + "</title>")
                    .contains(FaultyDriver.class.getName() + ".run")
                    .contains("\"byte[]\"");
        }
        try (Stream<Path> kept = Files.list(profiles)) {
            assertThat(kept).hasSize(4);
        }
        assertThat(lastRun()).endsWith(", profiled");
        assertThat(SchemaCheck.errors(results)).isEmpty();
        Path file = folder.resolve("results.json");
        ResultFiles.write(results, file);
        assertThat(ResultFiles.read(file)).isEqualTo(results);
    }

    /** Sums agree, and at least once may repeat: only the numbers themselves say that records are missing. */
    @Test
    void shouldFindRecordByRecordWhatSumsDoNotShow() throws Exception {
        Results none = run(List.of("swaps"), Map.of("rate", "20_000", "records", LASTING), 2);
        assertThat(none.cells().get(0).recordsPerS()).isNull();
        assertThat(none.cells().get(0).reason()).isEqualTo("checked record by record: lost 2 of 100000 records");
        assertThat(none.cells().get(0).checked()).isEqualTo(new CellResult.Checked(100_000, 2, 2, 0, 0, 0));
        assertThat(none.cells().get(0).runs()).as("all its runs are in doubt").noneMatch(run -> run.reason() == null);

        Results atLeastOnce = run(
                List.of("five-for-ten", "repeats"),
                Map.of("rate", "20_000", "records", LASTING, "guarantee", "at-least-once"),
                1);
        assertThat(atLeastOnce.cells().get(0).reason()).isEqualTo("checked record by record: lost 5 of 100000 records");
        assertThat(atLeastOnce.cells().get(0).valid()).isFalse();
        assertThat(atLeastOnce.cells().get(1).valid()).isTrue();
        assertThat(atLeastOnce.cells().get(1).checked()).isEqualTo(new CellResult.Checked(100_000, 0, 1, 0, 0, 0));
    }

    /** Otherwise its rate would be that of the time in which nothing was left to do: none. */
    @Test
    void shouldMeasureUntilTheLastCameOut_whereAnEngineIsSlowToSaySo() throws Exception {
        Results results = run(List.of("lingers"), Map.of("rate", "20_000", "records", LASTING), 1);

        assertThat(results.cells().get(0).reason()).isNull();
        assertThat(results.cells().get(0).recordsPerS().median()).isPositive();
    }

    @Test
    void shouldNotCountARunWhoseMetersCouldNotBeWritten() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "nothing here that limits a process's files");

        CellResult cell =
                run(List.of("fills"), Map.of("rate", "20_000"), 1).cells().get(0);

        assertThat(cell.valid()).isFalse();
        assertThat(cell.reason()).startsWith("its meters could not be written: ");
    }

    @Test
    void shouldRefuseASettingThatCannotBeReadBeforeAnythingRuns() {
        assertThatThrownBy(() -> run(List.of("none"), Map.of("payload", "much"), 1))
                .isInstanceOf(LabException.class)
                .hasMessage("a study cannot be run as it is: payload must be a whole number, not much");
    }

    /** Otherwise a driver would take it for another one, and its figures would stand under a wrong name. */
    @Test
    void shouldRefuseAVariantThatIsNotThere() throws Exception {
        Engine.Description description = new Engine.Description(
                "faulty",
                "no.such.Driver",
                List.of(),
                Map.of("none", new Engine.Variant("it is", "apart", Map.of())),
                List.of());
        try (LabRun lab =
                new LabRun(Map.of("faulty", Engine.built(description, "")), "0", said::add, () -> Long.MAX_VALUE)) {
            assertThatThrownBy(() -> lab.run(wish(List.of("nnoe"), Map.of(), 1), SHORT))
                    .isInstanceOf(LabException.class)
                    .hasMessage("a study cannot be run as it is: faulty has no variant 'nnoe'; it has [none]");
        }
    }

    @Test
    void shouldSayThatThereIsNothingToRun() throws Exception {
        LabRun.Wish all = wish(List.of("none"), Map.of(), 1);
        try (LabRun lab = lab()) {
            assertThatThrownBy(() -> lab.run(new LabRun.Wish(all.studies(), List.of("other"), true, 1, 1), SHORT))
                    .isInstanceOf(LabException.class)
                    .hasMessage("there is nothing to run: no case of these studies is for other, but for faulty");
        }
    }

    /** A warning of the JVM is no answer: neither does the run fail, nor is the answer of the next one taken for another. */
    @Test
    void shouldPassOverWhatElseIsOnTheOutputOfADriver() throws Exception {
        Results results = run(List.of("chats"), Map.of("rate", "20_000", "records", LASTING), 1);

        assertThat(results.cells().get(0).reason()).isNull();
        assertThat(results.cells().get(0).runs().get(0).received()).isEqualTo(100_000);
    }

    /** Its run goes on, and its end would be taken for that of the next cell on the same cluster. */
    @Test
    void shouldEndTheClusterWhoseRunCouldNotBeRead() throws Exception {
        Results results = run(
                List.of("garbles", "none"),
                Map.of("processes", "2", "placement", "between", "rate", "20_000"),
                2); // so that one of "none" comes after one of "garbles"

        assertThat(results.cells().get(0).runs())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.reason()).startsWith("not a sample: no sample"));
        assertThat(results.cells().get(1).runs())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.reason()).isNull());
    }

    @Test
    void shouldRunTheOtherCells_whateverAProcessLeaves() throws Exception {
        Results results = run(List.of("misnames", "none"), Map.of("rate", "20_000"), 1);

        assertThat(results.cells().get(0).reason()).startsWith("what its processes left could not be read: ");
        assertThat(results.cells().get(1).valid()).isTrue();
    }

    @Test
    void shouldNotRunTopologiesOnAnEngineThatDeclaresNoVariantForThem() throws Exception {
        CellResult cell = run(List.of("none"), Map.of("workload", "topology", "jar", "mine.jar"), 1)
                .cells()
                .get(0);
        assertThat(cell.reason()).isEqualTo("topologies of Thalweg do not run on faulty");
        assertThatThrownBy(() -> run(List.of("none"), Map.of("workload", "topology"), 1))
                .hasMessage("a study cannot be run as it is: workload topology needs a jar");
    }

    @Test
    void shouldNotStartADriverThatDeclaresThatItRefuses() throws Exception {
        Refusal declared = new Refusal(List.of(Map.of("stamps", List.of("true"))), "it keeps no times");
        Engine engine = Engine.built(
                new Engine.Description("faulty", "no.such.Driver", List.of(), Map.of(), List.of(declared)), "");
        try (LabRun lab = new LabRun(Map.of("faulty", engine), "0", said::add, () -> Long.MAX_VALUE)) {
            List<CellResult> cells = lab.run(wish(List.of("none"), Map.of("stamps", "true"), 2), SHORT)
                    .cells();
            assertThat(cells.get(0).reason()).isEqualTo("it keeps no times");
            assertThat(cells.get(0).runs()).isEmpty();
        }
        assertThat(said)
                .filteredOn(line -> line.startsWith("1/1"))
                .containsExactly("1/1  faults.one  faulty none  run 1/2  not run: it keeps no times");
    }

    @Test
    void shouldRunOnceWhatIsNamedTwice() throws Exception {
        try (LabRun lab = refusing()) {
            Studies.Selection all = study("mine", "relay");
            Studies.Selection second =
                    new Studies.Selection(all.study(), all.cases().subList(1, 2));
            List<CellResult> cells = lab.run(twice(all, second), SHORT).cells();
            assertThat(cells).extracting(CellResult::caseName).containsExactly("one", "two");
            assertThat(lab.run(twice(second, all), SHORT).cells())
                    .extracting(CellResult::caseName)
                    .containsExactly("two", "one");
        }
        assertThat(said).filteredOn(line -> line.contains("mine.two")).hasSize(2);
    }

    @Test
    void shouldNotRunTwoStudiesOfOneName() throws Exception {
        try (LabRun lab = refusing()) {
            assertThatThrownBy(() -> lab.run(twice(study("mine", "relay"), study("mine", "flatten")), SHORT))
                    .isInstanceOf(LabException.class)
                    .hasMessage("there are two cells mine one faulty none, and results could not say which is which:"
                            + " rename one of the studies, or of the cases");
        }
    }

    @Test
    void shouldSeeWhetherASecretIsThereStill_andTellNone() throws Exception {
        Map<String, String> without = Map.of("workload", "topology", "jar", "job.jar");
        Map<String, String> with = new LinkedHashMap<>(without);
        with.put("set.token", "KEY-1");
        try (LabRun lab = refusing()) {
            Results before =
                    lab.run(wish(List.of("none"), with, 1), null, soFar -> {}).withSettings(SecretSettings::without);
            with.put("set.token", "KEY-2");
            assertThat(lab.run(wish(List.of("none"), with, 1), before, soFar -> {})
                            .cells())
                    .as("what it was is not kept")
                    .hasSize(1);

            LabRun.Wish changed = wish(List.of("none"), without, 1);
            assertThatThrownBy(() -> lab.run(changed, before, soFar -> {}))
                    .hasMessage("the results to go on with are of another set.token of faults one faulty none:"
                            + " (not kept); now: none");
            Results none = lab.run(changed, null, soFar -> {});
            LabRun.Wish again = wish(List.of("none"), with, 1);
            assertThatThrownBy(() -> lab.run(again, none, soFar -> {}))
                    .hasMessage("the results to go on with are of another set.token of faults one faulty none: none;"
                            + " now: (not kept)");
        }
    }

    private static LabRun.Wish twice(Studies.Selection one, Studies.Selection other) {
        return new LabRun.Wish(List.of(one, other), List.of(), true, 1, 1);
    }

    private Studies.Selection study(String name, String workload) throws Exception {
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, """
                name: %s
                title: two cases
                engines: {faulty: [none]}
                settings: {workload: %s}
                cases: [{name: one, title: the first}, {name: two, title: the second}]
                """.formatted(name, workload));
        return Studies.find(file.toString());
    }

    /** Starts nothing. */
    private LabRun refusing() {
        Refusal all = new Refusal(List.of(Map.of("sources", List.of("1"))), "it runs nothing");
        Engine engine =
                Engine.built(new Engine.Description("faulty", "no.such.Driver", List.of(), Map.of(), List.of(all)), "");
        return new LabRun(Map.of("faulty", engine), "0", said::add, () -> Long.MAX_VALUE);
    }

    @Test
    void shouldTakeRunsOfATopologyThatDisagreeForWrong() {
        RunResult one = new RunResult(1, 5.0, null, null, 0, 1, true, null, 100, 7, null, null, List.of());
        RunResult same = new RunResult(2, 6.0, null, null, 0, 1, true, null, 100, 7, null, null, List.of());
        RunResult other = new RunResult(3, 7.0, null, null, 0, 1, true, null, 100, 8, null, null, List.of());

        assertThat(Validity.disagreement(List.of(one, same, other.invalid("it died"))))
                .isNull();
        assertThat(Validity.disagreement(List.of(one, same, other)))
                .isEqualTo("its runs disagree: one read 100 records and wrote 7, another read 100 and wrote 8");
    }

    @Test
    void shouldHoldWhatATopologyPutsOutOnOneEngineAgainstAnother() {
        RunResult one = putsOut(5, "ab");
        assertThat(Validity.difference(putsOut(5, "ab"), one, "thalweg")).isNull();
        assertThat(Validity.difference(putsOut(1_004, "ab"), one, "thalweg"))
                .isEqualTo("it does not put out the same as thalweg: it has 1,004 records for 'sink', thalweg 5");
        assertThat(Validity.difference(putsOut(5, "ff"), one, "thalweg"))
                .isEqualTo("it does not put out the same as thalweg: as many records for 'sink' (5), but other ones");
        assertThat(Validity.disagreement(List.of(one, putsOut(5, "ff"))))
                .isEqualTo("its runs disagree: as many records for 'sink' (5), but other ones");
    }

    private static RunResult putsOut(long records, String digest) {
        RunResult.Job job = new RunResult.Job(1, 2, List.of(new RunResult.Output("'sink'", records, digest)));
        return new RunResult(
                1, 5.0, null, null, 0, 1, true, null, 100, 7, 0, null, null, null, null, job, null, null, List.of());
    }

    @Test
    void shouldNotTakeARunWhoseSinksAreInTheWrongProcess() {
        Sample source = new Sample(1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        Sample sink = new Sample(1, 0, 0, 100, 0, 0, 0, 0, 0, 0, 0);
        Sample both = source.plus(sink);
        Cell once = Cell.of(Map.of("processes", "2"), Path.of(""));
        Cell twice = Cell.of(Map.of("processes", "2", "placement", "between"), Path.of(""));
        assertThat(Validity.misplaced(once, List.of(source, sink))).isNull();
        assertThat(Validity.misplaced(twice, List.of(both))).isNull();
        assertThat(Validity.misplaced(once, List.of(both)))
                .isEqualTo("sources and sinks were in one process, and not in two as placement sources has it");
        assertThat(Validity.misplaced(twice, List.of(source, sink)))
                .isEqualTo("sources and sinks were in two processes, and not in one as placement between has it");
        assertThat(Validity.misplaced(Cell.of(Map.of(), Path.of("")), List.of(both)))
                .as("in one process")
                .isNull();
    }

    @Test
    void shouldSayThatADriverCannotBeStarted() throws Exception {
        Engine broken =
                Engine.built(new Engine.Description("faulty", "no.such.Driver", List.of(), Map.of(), List.of()), "");
        try (LabRun lab = new LabRun(Map.of("faulty", broken), "0", said::add, () -> Long.MAX_VALUE)) {
            CellResult cell =
                    lab.run(wish(List.of("none"), Map.of(), 1), SHORT).cells().get(0);
            assertThat(cell.reason()).startsWith("the driver of faulty ended: ");
        }
    }

    @Test
    void shouldEndTheClusterOfAnotherEngineWhereMemoryIsShort() throws Exception {
        Map<String, Engine> two = new LinkedHashMap<>();
        for (String name : List.of("first", "second")) {
            Engine.Description description =
                    new Engine.Description(name, FaultyDriver.class.getName(), List.of("-Xmx64m"), Map.of(), List.of());
            two.put(name, Engine.built(description, System.getProperty("java.class.path")));
        }
        String settings = "{processes: 2, placement: between, rate: 20000, records: " + LASTING + "}";
        try (LabRun lab = new LabRun(two, "0", said::add, () -> 0)) {
            Results results = lab.run(wish("{first: [none], second: [none]}", settings, 1), SHORT);
            assertThat(results.cells()).hasSize(2).allMatch(CellResult::valid);
            assertThat(said)
                    .as("in any order")
                    .anyMatch(line -> line.matches("ending the cluster of (first|second), to make room in memory"));
            assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                    .as("that of the other stays up")
                    .hasSize(1);
        }
        said.clear();
        try (LabRun lab = new LabRun(two, "0", said::add, () -> Long.MAX_VALUE)) {
            lab.run(wish("{first: [none], second: [none]}", settings, 1), SHORT);
        }
        assertThat(said).noneMatch(line -> line.contains("to make room"));
    }

    @Test
    void shouldEndTheClusterOfTheSameEngineForACellInOneProcessWhereMemoryIsShort() throws Exception {
        Engine.Description description =
                new Engine.Description("faulty", FaultyDriver.class.getName(), List.of("-Xmx64m"), Map.of(), List.of());
        Engine engine = Engine.built(description, System.getProperty("java.class.path"));
        String settings = "{processes: 2, placement: between, rate: 20000, records: " + LASTING + "}";
        wish("{faulty: [none]}", settings, 1);
        Path file = folder.resolve("study.yaml");
        Files.writeString(
                file, Files.readString(file) + "  - {name: two, title: in one process, settings: {processes: 1}}\n");
        LabRun.Wish wish = new LabRun.Wish(List.of(Studies.find(file.toString())), List.of(), true, 1, 1);

        try (LabRun lab = new LabRun(Map.of("faulty", engine), "0", said::add, () -> 0)) {
            assertThat(lab.run(wish, SHORT).cells()).hasSize(2).allMatch(CellResult::valid);
        }

        assertThat(said).contains("ending the cluster of faulty, to make room in memory");
    }

    @Test
    void shouldGoOnWithTheCasesThatAKilledCallHadNotComeTo() throws Exception {
        Map<String, String> settings = Map.of("rate", "20_000", "records", "2_000");
        LabRun.Wish wish = twoCases(settings, 1);
        List<Results> kept = new ArrayList<>();
        try (LabRun lab = lab()) {
            assertThatThrownBy(() -> lab.run(wish, null, soFar -> {
                        kept.add(soFar);
                        throw new LabException("killed");
                    }))
                    .hasMessage("killed");
        }
        assertThat(kept).singleElement().satisfies(first -> {
            assertThat(first.cells()).extracting(CellResult::caseName).containsExactly("one");
            assertThat(SchemaCheck.errors(first)).isEmpty();
            assertThat(first.memoryGbPerS()).as("before and after").hasSize(2).allMatch(each -> each > 0);
        });
        Path file = folder.resolve("results.json");
        ResultFiles.write(kept.get(0), file);
        Results before = ResultFiles.read(file);
        said.clear();

        try (LabRun lab = lab()) {
            Results all = lab.run(wish, before, kept::add);
            assertThat(all.machine()).isEqualTo(before.machine());
            assertThat(all.cells()).extracting(CellResult::caseName).containsExactly("one", "two");
            assertThat(all.cells().get(0)).isEqualTo(before.cells().get(0));
            assertThat(all.memoryGbPerS())
                    .as("of both calls")
                    .hasSize(4)
                    .startsWith(Objects.requireNonNull(before.memoryGbPerS()).toArray(new Double[0]));
            assertThat(said)
                    .contains("1/2  faults.one  is measured")
                    .noneMatch(line -> line.contains("faults.one  faulty"));

            assertThatThrownBy(() -> lab.run(twoCases(settings, 2), before, kept::add))
                    .isInstanceOf(LabException.class)
                    .hasMessage(
                            "the results to go on with are of another call: faults.one faults.two on all engines, quick, "
                                    + "1 runs of 1 s; now: faults.one faults.two on all engines, quick, 2 runs of 1 s");
            LabRun.Wish slower = twoCases(Map.of("rate", "10_000", "records", "2_000"), 1);
            assertThatThrownBy(() -> lab.run(slower, before, kept::add))
                    .hasMessage(
                            "the results to go on with are of another rate of faults one faulty none: 20_000; now: 10_000");
            Results elsewhere =
                    new Results(Results.SCHEMA, MadeUp.MACHINE, before.asked(), null, before.studies(), before.cells());
            assertThatThrownBy(() -> lab.run(wish, elsewhere, kept::add))
                    .hasMessageStartingWith("the results to go on with are of another machine: ");
        }
    }

    @Test
    void shouldNotGoOnWithResultsOfATopologyThatWasBuiltAgainSince() throws Exception {
        Path jar = Files.writeString(folder.resolve("job.jar"), "one program");
        LabRun.Wish wish = wish(List.of("none"), Map.of("workload", "topology", "jar", "job.jar"), 1);
        try (LabRun lab = refusing()) {
            Results before = lab.run(wish, null, soFar -> {});
            assertThat(lab.run(wish, before, soFar -> {}).cells()).isEqualTo(before.cells());

            Files.writeString(jar, "another program");

            assertThatThrownBy(() -> lab.run(wish, before, soFar -> {}))
                    .isInstanceOf(LabException.class)
                    .hasMessageMatching("the results to go on with are of another call: .*, of job\\.jar \\(SHA-256"
                            + " [0-9a-f]{16}\\); now: .*, of job\\.jar \\(SHA-256 [0-9a-f]{16}\\)");
        }
    }

    @Test
    void shouldNotCountARunDuringWhichItsTopologyWasBuiltAgain() throws Exception {
        Files.writeString(folder.resolve("job.jar"), "one program");
        Engine.Description description = new Engine.Description(
                "faulty", FaultyDriver.class.getName(), List.of("-Xmx64m"), Map.of(), List.of(), null, "rebuilds");
        Engine engine = Engine.built(description, System.getProperty("java.class.path"));
        LabRun.Wish wish = wish(
                List.of("rebuilds"),
                Map.of("workload", "topology", "jar", "job.jar", "rate", "20_000", "records", "20_000"),
                2);
        try (LabRun lab = new LabRun(Map.of("faulty", engine), "0", said::add, () -> Long.MAX_VALUE)) {
            CellResult cell = lab.run(wish, SHORT).cells().get(0);
            assertThat(cell.valid()).isFalse();
            assertThat(cell.reason()).isEqualTo("job.jar has changed since this call of the lab began");
        }
    }

    /** What was said of the last run; that memory is slow may be said after it. */
    private String lastRun() {
        return said.stream().filter(line -> line.startsWith("1/1")).reduce("", (one, next) -> next);
    }

    private LabRun.Wish twoCases(Map<String, String> settings, int runs) throws Exception {
        wish(List.of("none"), settings, runs);
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, Files.readString(file) + "  - {name: two, title: another}\n");
        return new LabRun.Wish(List.of(Studies.find(file.toString())), List.of(), true, 1, runs);
    }

    private Results run(List<String> variants, Map<String, String> settings, int runs) throws Exception {
        try (LabRun lab = lab()) {
            return lab.run(wish(variants, settings, runs), SHORT);
        }
    }

    /** One run, with all that is sampled. */
    private Results measured(String variant, Map<String, String> settings) throws Exception {
        try (LabRun lab = lab()) {
            return lab.run(wish(List.of(variant), settings, 1), LONG_ENOUGH);
        }
    }

    private LabRun lab() {
        Engine.Description description =
                new Engine.Description("faulty", FaultyDriver.class.getName(), List.of("-Xmx64m"), Map.of(), List.of());
        return new LabRun(
                Map.of("faulty", Engine.built(description, System.getProperty("java.class.path"))),
                "0",
                said::add,
                () -> Long.MAX_VALUE);
    }

    private LabRun.Wish wish(List<String> variants, Map<String, String> settings, int runs) throws Exception {
        return wish("{faulty: " + variants + "}", settings.toString().replace("=", ": "), runs);
    }

    private LabRun.Wish wish(String engines, String settings, int runs) throws Exception {
        Path file = folder.resolve("study.yaml");
        Files.writeString(file, """
                name: faults
                title: what goes wrong
                engines: %s
                settings: %s
                cases:
                  - {name: one, title: only one}
                """.formatted(engines, settings));
        return new LabRun.Wish(List.of(Studies.find(file.toString())), List.of(), true, 1, runs);
    }
}
