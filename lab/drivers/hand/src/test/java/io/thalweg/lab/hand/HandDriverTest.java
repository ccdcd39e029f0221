// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.KafkaService;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.RefusedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HandDriverTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workload=relay",
                "workload=relay record=reused",
                "workload=relay rate=100000",
                "workload=relay rate=100000 pushed=true",
                "workload=relay rate=100000 waiting=park layers=0",
                "workload=relay payload=100 rate=100000 pushed=true waiting=park",
                "workload=relay payload=100",
                "workload=relay payload=1000 stamps=true layers=3",
                "workload=relay payload=1000 stamps=true relays=4 rate=100000",
                "workload=relay payload=1000 stamps=true hoard=1000000",
                "workload=relay payload=1000 stamps=true guarantee=acked max-pending=50",
                "workload=relay payload=1000 stamps=true guarantee=acked max-pending=1",
                "workload=relay payload=8 guarantee=acked",
                "workload=group-by",
                "workload=group-by window=1000 dimensions=6 measures=4 sinks=2",
                "workload=group-by window=3000 cardinality=7",
                "workload=windows operation=tumbling size-ms=3 window=1000000 cardinality=10",
                "workload=windows operation=tumbling size-ms=1000 window=1000000 cardinality=10000",
            })
    void shouldBringEveryRecordOutOnceAndWhole(String words) throws Exception {
        for (String variant : new String[] {"loop", "ring"}) {
            CellCheck.run(new HandDriver(), folder, settings("records=10000 variant=" + variant + " " + words));
        }
    }

    private static Map<String, String> settings(String words) {
        Map<String, String> settings = new HashMap<>();
        for (String word : words.split(" ")) {
            settings.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
        }
        return settings;
    }

    /** Payloads begin with the record's number, so they have quotation marks, control characters, and some that are not ASCII. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "payload=1000 stamps=true guarantee=acked max-pending=50",
                "payload=1000 stamps=true guarantee=acked max-pending=50 relays=2",
                "payload=100 rate=5000 guarantee=acked max-pending=1",
                "child=lean payload=1000 stamps=true guarantee=acked max-pending=10000",
                "child=thalweg payload=1000 stamps=true guarantee=acked max-pending=10000",
                "child=thalweg payload=8 relays=2",
                "child=arrow payload=1000 guarantee=acked max-pending=10000",
            })
    void shouldRelayByAProgramInPython(String words) throws Exception {
        try {
            CellCheck.run(new HandDriver(), folder, settings("variant=ring processer=python records=2000 " + words));
        } catch (RefusedException e) {
            assumeTrue(false, e.getMessage());
        }
    }

    @Tag("integration")
    @Test
    void shouldRelayFromKafka() throws Exception {
        try (KafkaService kafka = KafkaService.start(folder, 10_000, 100)) {
            for (String stamps : new String[] {"false", "true"}) {
                Map<String, String> settings = new HashMap<>(kafka.settings());
                settings.put("variant", "loop");
                settings.put("stamps", stamps);
                CellCheck.run(new HandDriver(), folder, settings);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "ring"})
    void shouldEndWhenToldTo(String variant) throws Exception {
        var cell = CellCheck.write(folder, Map.of("variant", variant));
        cell.folder().stop();
        new HandDriver().run(cell);
        CellCheck.shouldHaveLostNothing(cell);
    }

    /** Otherwise it would be faster than engines that keep to it. */
    @Test
    void shouldHaveNoMoreRecordsUnderWayThanTheCellAllows() throws Exception {
        var cell = CellCheck.write(folder, Map.of("records", "20000"));
        AtomicLong made = new AtomicLong();
        AtomicLong taken = new AtomicLong();
        AtomicLong most = new AtomicLong();
        try (Load load = Load.open(cell, 0, 1)) {
            Ring.run(
                    load,
                    source -> {
                        most.accumulateAndGet(made.incrementAndGet() - taken.get(), Math::max);
                        return source.take();
                    },
                    number -> taken.incrementAndGet(),
                    7);
        }
        assertThat(taken).hasValue(20_000);
        assertThat(most.get())
                .isBetween(1L, 8L); // the one that is being taken in is not confirmed yet, but counted here
    }

    @Test
    void shouldEndBothSidesOfARingWhereOneFails() throws Exception {
        var cell = CellCheck.write(folder, Map.of());
        try (Load load = Load.open(cell, 0, 1)) {
            assertThatThrownBy(() -> Ring.run(load, Load::take, number -> {
                        throw new IllegalArgumentException("no " + number);
                    }))
                    .hasMessage("a loop failed: java.lang.IllegalArgumentException: no 0");
        }
        try (Load load = Load.open(cell, 0, 1)) {
            assertThatThrownBy(() -> Ring.run(
                            load,
                            none -> {
                                throw new IllegalArgumentException("no record");
                            },
                            taken -> {}))
                    .hasMessage("a loop failed: java.lang.IllegalArgumentException: no record");
        }
    }
}
