// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Check;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.workloads.telecom.Probe;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JetDriverTest {
    private static final Check.Telecom TELECOM =
            new Check.Telecom(TelecomLines.groups(TelecomSize.SMALL), TelecomLines.units(TelecomSize.SMALL));

    private static final JetDriver DRIVER = new JetDriver();

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        DRIVER.close();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive))
                .as("processes left")
                .isEmpty();
    }

    @Test
    void shouldKnowItsVersion() {
        assertThat(DRIVER.version()).startsWith("5.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=pipeline",
                "variant=dag guarantee=exactly-once checkpoint-ms=50 rate=20000",
            })
    void shouldRelay(String settings) throws Exception {
        check(settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=dag",
                "variant=pipeline rate=20000",
                "variant=pipeline layers=0 rate=20000 waiting=spin",
                "variant=dag layers=0 rate=20000 waiting=park",
                "variant=dag payload=100",
                "variant=pipeline payload=1000 stamps=true layers=2",
                "variant=dag payload=1000 stamps=true hoard=1000000 rate=100000",
                "variant=pipeline hoard=100000",
                "variant=pipeline sources=2 relays=3 sinks=2 layers=2",
                "variant=dag sources=2 relays=2 sinks=1 layers=3",
                "variant=pipeline guarantee=at-least-once checkpoint-ms=50 rate=20000",
            })
    void shouldRelayInMoreWays(String settings) throws Exception {
        check(settings);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=dag window=1000 cardinality=100 dimensions=6 measures=4",
            })
    void shouldGroup(String settings) throws Exception {
        check("workload=group-by " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "variant=pipeline window=1000 cardinality=100",
                "variant=pipeline window=3000 sources=2 sinks=2",
                "variant=dag window=3000 sources=3 sinks=2",
                "variant=pipeline window=1000 guarantee=exactly-once checkpoint-ms=50 rate=20000",
                "variant=dag window=1000 guarantee=at-least-once checkpoint-ms=50 rate=20000",
            })
    void shouldGroupInMoreWays(String settings) throws Exception {
        check("workload=group-by " + settings);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operation=sliding size-ms=100 step-ms=10 window=10000 cardinality=100",
            })
    void shouldAggregateInWindows(String settings) throws Exception {
        check("workload=windows " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "operation=tumbling size-ms=3 cardinality=10",
                "operation=session gap-ms=20 window=10000 cardinality=100",
                "operation=running cardinality=100"
            })
    void shouldAggregateInMoreWindows(String settings) throws Exception {
        check("workload=windows " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload=0",
                "layers=0",
                "placement=between payload=100 layers=2 relays=2",
                "payload=0 rate=20000",
                "payload=1000 stamps=true sources=2 relays=2 sinks=2 guarantee=exactly-once"
            })
    void shouldRelayBetweenTwoMembers(String settings) throws Exception {
        check("processes=2 variant=dag " + settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"variant=dag", "variant=dag reading=same"})
    void shouldAggregateProbes(String settings) throws Exception {
        check("workload=telecom records=100000 " + settings);
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(strings = {"variant=dag sources=2 relays=2 sinks=2"})
    void shouldAggregateMoreProbes(String settings) throws Exception {
        check("workload=telecom records=100000 " + settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"best", "same"})
    void shouldFlatten(String reading) throws Exception {
        check("workload=flatten variant=dag reading=" + reading);
    }

    @Test
    void shouldFlattenEveryField() {
        byte[] line = new TelecomLines(TelecomSize.SMALL).line(7);
        RecordProbe probe = RecordProbe.of(line);
        Probe again = new Probe(
                probe.timeMs(),
                probe.key().cell(),
                probe.key().device(),
                probe.key().subscriber(),
                probe.key().service(),
                probe.key().session(),
                probe.measures());
        assertThat(JSON.parse(JSON.toJSONString(again, JSONWriter.Feature.WriteNulls)))
                .isEqualTo(JSON.parse(line));
    }

    @Tag("long")
    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String variant : List.of("pipeline", "dag")) {
                Map<String, String> all = new HashMap<>(kafka.settings());
                all.put("variant", variant);
                all.put("guarantee", "at-least-once");
                all.put("sources", "2");
                CellCheck.run(DRIVER, folder, all);
            }
        }
    }

    private void check(String settings) throws Exception {
        Map<String, String> all = new HashMap<>(Map.of("records", "10000"));
        for (String setting : settings.split(" ")) {
            all.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
        }
        CellCheck.run(DRIVER, folder, all, TELECOM);
    }
}
