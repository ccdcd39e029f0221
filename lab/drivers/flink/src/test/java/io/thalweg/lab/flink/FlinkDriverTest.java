// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.driver.TopologyCheck;
import io.thalweg.lab.thalweg.ThalwegDriver;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("integration")
final class FlinkDriverTest {
    private static final Check.Telecom TELECOM =
            new Check.Telecom(TelecomLines.groups(TelecomSize.SMALL), TelecomLines.units(TelecomSize.SMALL));

    @TempDir
    private Path folder;

    @Test
    void shouldKnowItsVersion() {
        assertThat(new FlinkDriver().version()).startsWith("2.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=object-reuse",
                "variant=unchained guarantee=exactly-once checkpoint-ms=50 records=200000 rate=400000",
                "variant=object-reuse workload=windows operation=sliding size-ms=100 step-ms=10 window=10000 cardinality=100",
                "variant=chained workload=windows operation=join cardinality=100000 sinks=2",
                "variant=translated payload=1000 stamps=true relays=2",
            })
    void shouldRelay(String settings) throws Exception {
        check(settings);
    }

    @Test
    void shouldPutOutOfAUsersTopologyWhatTheEmbeddedEngineDoes() throws Exception {
        TopologyCheck.shouldPutOutTheSame(
                new ThalwegDriver(), new FlinkDriver(), folder, Map.of("variant", "translated"));
    }

    @Test
    void shouldSayInOneLineThatFlinkDoesNotTakeAUsersTopology() throws Exception {
        TopologyCheck.shouldRefuseThreadsOfItsOwn(
                new ThalwegDriver(), new FlinkDriver(), "Flink", folder, Map.of("variant", "translated"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "flink.object-reuse=true | Flink has no option object-reuse; did you mean pipeline.object-reuse?",
                "flink.pipeline.speed=high | Flink has no option pipeline.speed",
                "flink.execution.buffer-timeout.interval=soon | Flink's execution.buffer-timeout.interval cannot be soon",
            })
    void shouldRefuseAnOptionThatFlinkDoesNotTake(String setting, String why) {
        assertThatThrownBy(() -> check("variant=object-reuse " + setting))
                .isInstanceOf(RefusedException.class)
                .hasMessage(why);
    }

    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String variant : List.of("object-reuse", "translated")) {
                Map<String, String> settings = new HashMap<>(kafka.settings());
                settings.put("variant", variant);
                settings.put("sources", "2");
                try (FlinkDriver driver = new FlinkDriver()) {
                    CellCheck.run(driver, folder, settings);
                }
            }
        }
    }

    @Test
    void shouldTakeAnOptionByItsName() throws Exception {
        check("variant=object-reuse flink.execution.buffer-timeout.interval=5ms flink.pipeline.object-reuse=false");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=chained",
                "variant=unchained",
                "variant=object-reuse record=reused",
                "variant=unchained record=reused",
                "variant=translated record=reused relays=2",
                "variant=object-reuse guarantee=exactly-once",
                "variant=chained guarantee=at-least-once checkpoint-ms=50 records=200000 rate=400000",
                "variant=object-reuse workload=windows operation=tumbling size-ms=3 cardinality=10",
                "variant=translated workload=windows operation=sliding size-ms=100 step-ms=10 window=10000 cardinality=100",
                "variant=object-reuse workload=windows operation=session gap-ms=20 window=10000 cardinality=100",
                "variant=object-reuse workload=windows operation=running cardinality=100 live-heap=true",
                "variant=object-reuse workload=windows operation=join cardinality=100000",
                "variant=object-reuse payload=100",
                "variant=chained payload=100 rate=100000",
                "variant=unchained payload=1000 stamps=true layers=2",
                "variant=object-reuse payload=1000 stamps=true hoard=1000000 rate=100000",
                "variant=object-reuse layers=0 rate=20000 waiting=spin",
                "variant=unchained layers=0 rate=20000 waiting=park",
                "variant=object-reuse sources=2 relays=3 sinks=2 layers=2",
                "variant=unchained sources=2 relays=2 sinks=1 hoard=100000",
                "variant=translated",
            })
    void shouldRelayInMoreWays(String settings) throws Exception {
        check(settings);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=translated cardinality=100 window=1000 sinks=2",
            })
    void shouldGroup(String settings) throws Exception {
        check("workload=group-by " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=object-reuse cardinality=100 window=1000",
                "variant=chained cardinality=100 window=1000 sources=2 sinks=3 dimensions=6 measures=4",
                "variant=unchained cardinality=100 window=1000 guarantee=exactly-once checkpoint-ms=50",
            })
    void shouldGroupInMoreWays(String settings) throws Exception {
        check("workload=group-by " + settings);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=object-reuse",
            })
    void shouldAggregateProbes(String settings) throws Exception {
        check("workload=telecom " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=chained relays=2 guarantee=at-least-once",
                "variant=object-reuse reading=same",
                "variant=object-reuse workload=flatten",
                "variant=unchained sources=2 relays=2 sinks=3",
            })
    void shouldAggregateProbesInMoreWays(String settings) throws Exception {
        check("workload=telecom " + settings);
    }

    @Test
    void shouldEndWhenToldTo() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of());
        cell.folder().stop();
        try (FlinkDriver driver = new FlinkDriver()) {
            driver.run(cell);
        }
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.received()).isEqualTo(total.sent());
    }

    /** One cluster for all, with as many slots as the next cell needs. */
    @Tag("long")
    @Test
    void shouldRelayBetweenProcesses() throws Exception {
        try (FlinkDriver driver = new FlinkDriver()) {
            for (String settings : List.of(
                    "processes=2",
                    "processes=2 variant=unchained guarantee=exactly-once payload=1000 stamps=true rate=20000",
                    "processes=2 layers=0",
                    "processes=2 sources=1 relays=3 sinks=2 layers=2",
                    "processes=2 sources=2 relays=2 sinks=2",
                    "processes=2 workload=group-by cardinality=100 window=1000 sources=2 sinks=2",
                    "processes=2 workload=telecom")) {
                Path parent = Files.createTempDirectory(folder, "cluster");
                CellCheck.run(driver, parent, settings(settings), TELECOM);
                assertThat(filesOf(parent)).as("JVMs that had meters").isEqualTo(2);
            }
            Path parent = Files.createTempDirectory(folder, "cluster");
            CellCheck.run(driver, parent, settings("processes=2 placement=between relays=2 layers=2"));
            assertThat(filesOf(parent)).as("JVMs that had meters").isEqualTo(1);
        }
    }

    @Tag("long")
    @Test
    void shouldRelayByThalwegsTopologyBetweenProcesses() throws Exception {
        try (FlinkDriver driver = new FlinkDriver();
                KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String settings : List.of(
                    "layers=0",
                    "guarantee=exactly-once checkpoint-ms=50 payload=1000 stamps=true rate=20000",
                    "sources=1 relays=3 sinks=2 layers=2",
                    "workload=group-by cardinality=100 window=1000 sources=2 sinks=2",
                    "workload=telecom",
                    "guarantee=at-least-once sources=2 from=kafka")) {
                Map<String, String> all = settings("processes=2 variant=translated " + settings);
                all.putAll(settings.endsWith("from=kafka") ? kafka.settings() : Map.of());
                Path parent = Files.createTempDirectory(folder, "cluster");
                CellCheck.run(driver, parent, all, TELECOM);
                assertThat(filesOf(parent)).as("JVMs that had meters").isEqualTo(2);
            }
            Path parent = Files.createTempDirectory(folder, "cluster");
            CellCheck.run(
                    driver,
                    parent,
                    settings(
                            "processes=2 variant=translated placement=between relays=2 layers=2 guarantee=at-least-once"));
            assertThat(filesOf(parent)).as("JVMs that had meters").isEqualTo(1);
        }
    }

    private static long filesOf(Path parent) throws Exception {
        try (Stream<Path> files = Files.walk(parent)) {
            return files.filter(file -> file.toString().endsWith(RunFolder.SAMPLES))
                    .map(file -> file.getFileName().toString().replaceAll("-.*", ""))
                    .filter(pid ->
                            Long.parseLong(pid) != ProcessHandle.current().pid())
                    .distinct()
                    .count();
        }
    }

    private void check(String settings) throws Exception {
        try (FlinkDriver driver = new FlinkDriver()) {
            CellCheck.run(driver, folder, settings(settings), TELECOM);
        }
    }

    private static Map<String, String> settings(String settings) {
        Map<String, String> all = new HashMap<>(Map.of("records", "10000"));
        for (String setting : settings.split(" ")) {
            all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        return all;
    }
}
