// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.CellCheck;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
final class FillersTest {
    @TempDir
    private Path folder;

    /** Batches are half as long as queues, which are full: what a timer flushes seldom fits. */
    @Test
    void shouldBringOutWhatDidNotFitIntoTheQueues() throws Exception {
        Cell cell = CellCheck.write(
                folder, Map.of("records", "100000", "relays", "4", "layers", "2", "sinks", "3", "hoard", "1000000"));
        Map<String, Object> tuning = Map.of(
                Config.TOPOLOGY_PRODUCER_BATCH_SIZE,
                500,
                Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS,
                1,
                Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE,
                1024);
        try (InProcess cluster = new InProcess()) {
            cluster.submit("fillers", Topologies.config(cell, tuning), Topologies.of(cell, folder));
            cell.folder().awaitStarted(Duration.ofMinutes(1));
            cell.folder().awaitDrained(cell, Duration.ofMinutes(2));
            cluster.kill("fillers");
        }
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.sent()).isEqualTo(100_000);
        assertThat(total.received()).isEqualTo(100_000);
        assertThat(total.sumReceived()).isEqualTo(total.sumSent());
    }
}
