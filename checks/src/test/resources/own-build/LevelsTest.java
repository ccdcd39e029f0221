// SPDX-License-Identifier: Apache-2.0
package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.run.RunSettings;
import io.thalweg.testkit.TopologyTester;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LevelsTest {
    // region test
    @Test
    void shouldPrintWhatIsAboveTheMark() {
        Topology topology = Topology.named("levels");
        new Levels().define(topology, Settings.none());
        try (TopologyTester tester = TopologyTester.of(topology)) {
            tester.add("levels", "312", "298");
            tester.end();
            assertEquals(List.of(312L), tester.records("high"));
        }
    }
    // endregion

    @Test
    void shouldFindEveryRoad() {
        assertEquals(3, Main.others(RunSettings.defaults()).size());
    }
}
