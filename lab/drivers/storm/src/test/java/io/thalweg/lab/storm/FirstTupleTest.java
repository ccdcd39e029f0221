// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("integration")
final class FirstTupleTest {
    @TempDir
    private Path folder;

    @Test
    void shouldMeasureThalwegsFrontEnd() throws Exception {
        FirstTuple.Seconds seconds = FirstTuple.start(FirstTuple.Where.DOOR, folder);
        assertThat(seconds.toNextTuple()).isPositive();
        assertThat(seconds.toExecute()).isGreaterThan(seconds.toNextTuple());
    }

    @Tag("long")
    @Test
    void shouldMeasureBothInTurn() throws Exception {
        List<String> lines = new ArrayList<>();
        FirstTuple.measure(List.of(FirstTuple.Where.CLUSTER, FirstTuple.Where.DOOR), 2, lines::add);
        assertThat(lines).hasSize(6);
        String figures = "%s [\\d.]+ s to nextTuple, [\\d.]+ s to execute, [\\d.]+ s in all";
        String both = figures.formatted("LocalCluster") + "; " + figures.formatted("StormDoor");
        assertThat(lines.get(0)).matches("round 1: " + both);
        assertThat(lines.get(1)).matches("round 2: " + both);
        String spread = "[\\d.]+ \\([\\d.]+ – [\\d.]+\\)";
        assertThat(lines.get(4))
                .matches("to execute: LocalCluster %s s; StormDoor %s s, round by round %s of LocalCluster's"
                        .replace("%s", spread));
    }
}
