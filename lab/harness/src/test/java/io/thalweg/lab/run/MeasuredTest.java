// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.RunFolder;
import io.thalweg.lab.driver.Sample;
import io.thalweg.lab.sample.ProcessSample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MeasuredTest {
    private static final Measured MEASURED = new Measured(900, null, 2, 30.0, 4, 5, null, List.of(), List.of());

    /** Otherwise an engine that sends every record twice would be twice as fast. */
    @Test
    void shouldCountARecordOnce_thoughItComesOutAgain() {
        Map<String, String> acked = Map.of("guarantee", "acked");
        assertThat(share(acked, 100, 150)).isEqualTo(2 / 3.0);
        assertThat(MEASURED.once(share(acked, 100, 150)).recordsPerS()).isEqualTo(600);
        assertThat(MEASURED.once(share(acked, 100, 150)).cpuSPerMillion()).isEqualTo(3);
        assertThat(MEASURED.once(share(acked, 100, 150)).allocatedBytesPerRecord())
                .isEqualTo(45);
        assertThat(MEASURED.once(share(acked, 100, 100))).isSameAs(MEASURED);
    }

    @Test
    void shouldCountAllWhereTheyAreNoRepetitions_orComeLater() {
        assertThat(share(Map.of("workload", "topology", "jar", "a.jar"), 100, 150))
                .isEqualTo(1);
        assertThat(share(Map.of("kill", "worker", "guarantee", "at-least-once"), 100, 150))
                .isEqualTo(1);
        assertThat(share(Map.of("counted", "sources", "guarantee", "acked"), 100, 150))
                .isEqualTo(1);
    }

    /** Otherwise a part of which the last sample comes late would have records that nothing is allocated for. */
    @Test
    void shouldCountWhatIsAllocatedForRecordsOfTheSameTime(@TempDir Path folder) throws Exception {
        StringBuilder samples = new StringBuilder();
        for (long tenths = 0; tenths < 18; tenths++) { // the next ones are late
            long records = tenths * 100;
            samples.append(tenths * 100_000_000)
                    .append(" " + records + " 0 " + records + " 0 0 0 0 0 0 " + records * 1_000 + " .\n");
        }
        Files.writeString(folder.resolve("1.samples"), samples);
        RunFolder run = new RunFolder(folder);
        Track track = new Track(run);
        track.readOn();

        Measured measured = Measured.of(track, run, List.of(), track.points(), 350_000_000, 2_050_000_000, true);

        assertThat(measured.recordsPerS()).isEqualTo(1_000);
        assertThat(measured.allocatedBytesPerRecord()).isEqualTo(1_000);
    }

    /** A series has no second that is too short to tell anything. */
    @Test
    void shouldCountTheCpuTimeUntilTheEnd(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("1.samples"), """
                1000000000 0 0 0 0 0 0 0 0 0 0 .
                1100000000 100 0 100 0 0 0 0 0 0 0 .
                2300000000 1300 0 1300 0 0 0 0 0 0 0 .
                """);
        RunFolder run = new RunFolder(folder);
        Track track = new Track(run);
        track.readOn();
        List<ProcessSample> processes = List.of(used(1_100, 0), used(2_100, 1_000), used(2_300, 1_200));

        Measured measured = Measured.of(track, run, processes, track.points(), 1_100_000_000L, 2_300_000_000L, true);

        assertThat(measured.recordsPerS()).isEqualTo(1_000);
        assertThat(measured.cpuSPerMillion()).as("one core, all the time").isCloseTo(1_000, within(0.001));
        assertThat(measured.series()).hasSize(1);
    }

    private static ProcessSample used(long atMs, double cpuMs) {
        return new ProcessSample(atMs * 1_000_000, cpuMs, 0, 0, 1, 0, 0, 0, 0, 0);
    }

    private static double share(Map<String, String> settings, long sent, long received) {
        return CellRun.once(Cell.of(settings, Path.of("")), new Sample(1, sent, 0, received, 0, 0, 0, 0, 0, 0, 0));
    }
}
