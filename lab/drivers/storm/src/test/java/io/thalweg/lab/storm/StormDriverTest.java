// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.driver.TopologyCheck;
import io.thalweg.lab.thalweg.ThalwegDriver;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("integration")
final class StormDriverTest {
    private static final Check.Telecom TELECOM =
            new Check.Telecom(TelecomLines.groups(TelecomSize.SMALL), TelecomLines.units(TelecomSize.SMALL));

    private static StormDriver driver;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        driver = new StormDriver();
    }

    @AfterAll
    static void stop() throws IOException {
        driver.close();
    }

    @Test
    void shouldKnowItsVersion() {
        assertThat(driver.version()).isEqualTo("2.8.3");
    }

    @Test
    void shouldPutOutOfAUsersTopologyWhatTheEmbeddedEngineDoes() throws Exception {
        TopologyCheck.shouldPutOutTheSame(new ThalwegDriver(), driver, folder, Map.of("variant", "translated"));
    }

    @Test
    void shouldSayInOneLineThatStormDoesNotTakeAUsersTopology() throws Exception {
        TopologyCheck.shouldRefuseThreadsOfItsOwn(
                new ThalwegDriver(), driver, "Storm", folder, Map.of("variant", "translated"));
    }

    @Test
    void shouldRefuseAnOptionThatStormDoesNotHave() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("variant", "default", "storm.topology.speed", "high"));
        assertThatThrownBy(() -> driver.run(cell))
                .isInstanceOf(RefusedException.class)
                .hasMessage("Storm has no option topology.speed");
    }

    @ParameterizedTest
    @CsvSource({"'', 10000", "0, ", "50, 50"})
    void shouldLimitPendingTuplesAsTheCellSays_elseAsTheVariantDoes(String pending, Integer limit) {
        Map<String, String> settings = Map.of("guarantee", "acked", "max-pending", pending, "ack-timeout-s", "7");
        Config config = Topologies.config(Cell.of(settings, folder), Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10_000));
        assertThat(config.get(Config.TOPOLOGY_MAX_SPOUT_PENDING)).isEqualTo(limit);
        assertThat(config.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "variant=default sources=2 relays=2 sinks=2 guarantee=acked max-pending=50 ackers=2",
                "variant=tuned workload=group-by sources=2 sinks=2 window=3000 guarantee=acked dimensions=6 measures=4",
                "variant=storm-door sources=2 relays=2 sinks=2 guarantee=acked max-pending=50 ackers=2",
            })
    void shouldBringEveryRecordOut(String settings) throws Exception {
        check(settings);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "variant=tuned payload=1000 stamps=true layers=2",
                "variant=tuned layers=0 sources=2 sinks=2 rate=20000 waiting=spin",
                "variant=default rate=20000 waiting=park",
                "variant=tuned payload=100 rate=20000 guarantee=at-least-once hoard=1000000",
                "variant=tuned processer=python payload=100 stamps=true guarantee=acked max-pending=50",
                "variant=default processer=python child=lean payload=1000 relays=2",
                "variant=default workload=telecom relays=2 sinks=2 records=100000",
                "variant=default workload=telecom reading=same",
                "variant=tuned workload=flatten relays=2",
                "variant=storm-door payload=1000 stamps=true layers=2",
                "variant=storm-door workload=group-by sources=2 sinks=2 window=3000 dimensions=6 measures=4",
                "variant=storm-door processer=python payload=100 stamps=true guarantee=acked max-pending=50",
                "variant=storm-door processer=python child=thalweg payload=100 stamps=true guarantee=acked relays=2",
            })
    void shouldBringEveryRecordOutInMoreWays(String settings) throws Exception {
        check(settings);
    }

    @Test
    void shouldTakeBeingStoppedBeforeItHasBegun() throws Exception {
        Cell cell = CellCheck.write(folder, Map.of("variant", "tuned"));
        cell.folder().stop();
        driver.run(cell);
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.received()).isEqualTo(total.sent());
    }

    @Tag("long")
    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            Map<String, String> all = new HashMap<>(kafka.settings());
            all.put("guarantee", "at-least-once");
            all.put("sources", "2");
            CellCheck.run(driver, folder, all);
            all.put("guarantee", "none");
            all.put("variant", "translated");
            CellCheck.run(driver, folder, all);
        }
    }

    private void check(String settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("records", "10000"));
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=");
            all.put(parts[0], parts[1]);
        }
        CellCheck.run(driver, folder, all, TELECOM);
    }
}
