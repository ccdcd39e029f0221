// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.driver.JobFigures;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.lab.driver.KillCheck;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
final class ThalwegDriverTest {
    private static final Check.Telecom TELECOM =
            new Check.Telecom(TelecomLines.groups(TelecomSize.SMALL), TelecomLines.units(TelecomSize.SMALL));

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workload=relay",
                "workload=relay record=reused",
                "workload=relay record=reused sources=2 relays=3 sinks=2 layers=3",
                "workload=relay rate=100000",
                "workload=relay rate=100000 waiting=park layers=0",
                "workload=relay rate=100000 waiting=spin",
                "workload=relay payload=100",
                "workload=relay payload=1000 stamps=true",
                "workload=relay payload=1000 stamps=true rate=100000",
                "workload=relay payload=10 sources=2 relays=3 sinks=2 layers=3",
                "workload=relay payload=1000 stamps=true hoard=1000000",
                "workload=relay stall-ms=1 slowdown-percent=10",
                "workload=relay guarantee=at-least-once checkpoint-ms=10 rate=20000",
                "workload=relay guarantee=exactly-once checkpoint-ms=10 sources=2 relays=3 sinks=2 rate=20000",
                "workload=relay guarantee=acked",
                "workload=relay guarantee=acked max-pending=50 payload=10 sources=2 relays=3 sinks=2 layers=2",
                "workload=group-by guarantee=exactly-once checkpoint-ms=10",
                "workload=group-by",
                "workload=group-by window=1000 dimensions=6 measures=4 sources=2 sinks=3",
                "workload=windows operation=tumbling size-ms=3 window=1000000 cardinality=10",
                "workload=windows operation=sliding size-ms=100 step-ms=10 window=10000 cardinality=100 sinks=2",
                "workload=windows operation=session gap-ms=20 window=10000 cardinality=100",
                "workload=windows operation=running cardinality=100 sinks=2",
                "workload=windows operation=join cardinality=100000 sinks=2",
                "workload=telecom",
                "workload=telecom sources=2 relays=1 sinks=2",
                "workload=telecom reading=same sources=2 relays=1 sinks=2",
                "workload=flatten",
                "workload=flatten reading=same sources=2 relays=2 sinks=1"
            })
    void shouldBringEveryRecordOutOnceAndWhole(String words) throws Exception {
        for (String variant : new String[] {"fused", "apart"}) {
            Map<String, String> settings = settings(words);
            settings.put("records", "10000");
            settings.put("variant", variant);
            CellCheck.run(new ThalwegDriver(), folder, settings, TELECOM);
        }
    }

    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String words : List.of(
                    "guarantee=none variant=fused layers=0",
                    "guarantee=none variant=apart sources=2 relays=3 sinks=2 stamps=true",
                    "guarantee=acked variant=fused",
                    "guarantee=at-least-once variant=fused checkpoint-ms=20 sources=2",
                    "guarantee=exactly-once variant=apart checkpoint-ms=20 layers=2")) {
                Map<String, String> settings = settings(words);
                settings.putAll(kafka.settings());
                CellCheck.run(new ThalwegDriver(), folder, settings);
            }
        }
    }

    @Test
    void shouldStopAtATopicsMiddleWhenToldTo() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 1_000_000, 100)) {
            Map<String, String> settings = settings("slowdown-percent=20000");
            settings.putAll(kafka.settings());
            Cell cell = CellCheck.write(folder, settings);
            cell.folder().stop();
            new ThalwegDriver().run(cell);
            Meters.closeAll();
            Sample total = cell.folder().totals();
            assertThat(total.received()).isEqualTo(total.sent()).isLessThan(1_000_000);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload=100 stamps=true guarantee=acked max-pending=50",
                "payload=100 stamps=true guarantee=acked relays=2 layers=2",
                "child=thalweg sources=2 relays=1",
            })
    void shouldRelayByAProgramInPython(String words) throws Exception {
        Map<String, String> settings = settings("processer=python records=1000 " + words);
        CellCheck.run(new ThalwegDriver(), folder, settings);
    }

    @Test
    void shouldRelayByRecordBatchesOfArrow() throws Exception {
        Map<String, String> settings = settings("processer=python child=arrow records=1000 payload=100 relays=2");
        try {
            CellCheck.run(new ThalwegDriver(), folder, settings);
        } catch (RefusedException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    @Test
    void shouldEndWhenToldTo() throws Exception {
        var cell = CellCheck.write(folder, Map.of());
        cell.folder().stop();
        new ThalwegDriver().run(cell);
        CellCheck.shouldHaveLostNothing(cell);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "guarantee=at-least-once variant=fused",
                "guarantee=exactly-once variant=fused",
                "guarantee=exactly-once variant=apart sources=2 relays=3 sinks=2",
            })
    void shouldKeepItsPromiseWhenItsProcessIsKilled(String words) throws Exception {
        Map<String, String> settings =
                settings("kill=worker rate=50000 checkpoint-ms=20 payload=10 stamps=true " + words);
        KillCheck.run(new ThalwegDriver(), folder, settings);
    }

    @Test
    void shouldRunAUsersTopologyToItsEndAndSayWhatItPutOut() throws Exception {
        Map<String, String> settings =
                Map.of("workload", "topology", "jar", jar().toString(), "class", "org.acme.Evens", "set.count", "1000");

        var cell = CellCheck.write(folder, settings);
        new ThalwegDriver().run(cell);
        Meters.closeAll();

        Sample total = cell.folder().totals();
        assertThat(total.sent()).isEqualTo(1000);
        assertThat(total.received()).isEqualTo(500);
        JobFigures job = JobFigures.read(cell.folder());
        assertThat(job.outputs().stream().map(each -> each.name() + " " + each.records()))
                .containsExactly("'sink' 500", "printed lines 0", "bad records 0", "late records 0");
        assertThat(job.elapsedS()).isPositive();
    }

    @Test
    void shouldMeasureTheAgeOfRecordsByEventTimesOfNowAlone() throws Exception {
        assertThat(latencies(false)).as("records of 1970").isZero();
        assertThat(latencies(true)).as("made while the job runs").isEqualTo(300);
    }

    private long latencies(boolean now) throws Exception {
        Path job = folder.resolve("Timed.java");
        Files.writeString(job, """
                import io.thalweg.api.connector.*;
                import io.thalweg.api.topology.*;
                import java.time.*;

                public class Timed implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        boolean now = settings.has("now");
                        Stream<Long> times = topology.from(Sources.generate(100, i -> now ? System.currentTimeMillis() : i))
                                .eventTime(time -> time, Duration.ZERO);
                        times.to(Sinks.print());
                        times.shuffle().map(time -> time + 1).parallelism(2).to(Sinks.discard());
                        times.map(time -> "at " + time).to(Sinks.print());
                    }
                }
                """);
        Map<String, String> settings =
                settings("workload=topology latency=event-time jar=" + job + (now ? " set.now=true" : ""));
        Cell cell = CellCheck.write(folder, settings);
        new ThalwegDriver().run(cell);
        Meters.closeAll();
        assertThat(cell.folder().totals().received()).isEqualTo(300);
        long count = 0;
        for (Path file : cell.folder().files(RunFolder.LATENCIES)) {
            HistogramLogReader reader = new HistogramLogReader(file.toFile());
            for (EncodableHistogram each = reader.nextIntervalHistogram();
                    each != null;
                    each = reader.nextIntervalHistogram()) {
                count += ((AbstractHistogram) each).getTotalCount();
            }
        }
        return count;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "thalweg.queue=3 | thalweg.queue 3: batches must be a power of two, not 3",
                "thalweg.batch=0 | thalweg.batch 0: records in a batch must be at least 1, not 0",
                "thalweg.speed=9 | thalweg.speed 9: there is none of that name",
            })
    void shouldRefuseAnOptionThatItCannotTake(String setting, String why) {
        Map<String, String> settings = settings("workload=relay records=10 " + setting);

        assertThatThrownBy(() -> new ThalwegDriver().run(CellCheck.write(folder, settings)))
                .isInstanceOf(RefusedException.class)
                .hasMessage(why);
    }

    @Test
    void shouldTakeItsOptions() throws Exception {
        Map<String, String> settings = settings(
                "workload=relay records=10000 variant=apart thalweg.idle=park thalweg.threads=1 thalweg.queue=2 thalweg.batch=7");
        CellCheck.run(new ThalwegDriver(), folder, settings);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count=x | setting count=x: a whole number is expected",
                "cuont=5 | unknown setting 'cuont'; this job knows: bad, count; did you mean count?",
                "bad=7 | topology 'Evens', operator 'filter', task 'source+filter+sink[0]', split 'list', offset 7: java.lang.ArithmeticException: / by zero",
            })
    void shouldSayWhyAUsersTopologyFails(String set, String why) throws Exception {
        Map<String, String> settings = settings("workload=topology class=org.acme.Evens set." + set);
        settings.put("jar", jar().toString());

        assertThatThrownBy(() -> new ThalwegDriver().run(CellCheck.write(folder, settings)))
                .hasMessage(why);
        Meters.closeAll();
    }

    /** A jar as users build them, its class not on the class path of this test. */
    private Path jar() throws IOException {
        Path source = folder.resolve("Evens.java");
        Files.writeString(source, """
                package org.acme;

                import io.thalweg.api.codec.*;
                import io.thalweg.api.connector.*;
                import io.thalweg.api.topology.*;
                import java.util.stream.IntStream;

                public class Evens implements TopologyDefinition {
                    @Override
                    public void define(Topology topology, Settings settings) {
                        int count = (int) settings.number("count", 10);
                        int bad = (int) settings.number("bad", -1);
                        topology.from(Sources.of(Type.of(Integer.class), IntStream.range(0, count).boxed().toList()))
                                .filter(i -> 1 / (i == bad ? 0 : 1) == 1 && i % 2 == 0)
                                .to(Sinks.discard());
                    }
                }
                """);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(code).isZero();
        Path jar = folder.resolve("evens.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            String name = "org/acme/Evens.class";
            out.putNextEntry(new JarEntry(name));
            out.write(Files.readAllBytes(classes.resolve(name)));
        }
        return jar;
    }

    private static Map<String, String> settings(String words) {
        Map<String, String> settings = new HashMap<>();
        for (String word : words.split(" ")) {
            settings.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        return settings;
    }
}
