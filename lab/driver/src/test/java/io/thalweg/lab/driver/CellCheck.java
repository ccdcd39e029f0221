// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** For the tests of drivers: runs a bounded cell and checks that all of it came out, once and whole. */
public final class CellCheck {
    private CellCheck() {}

    /** Settings with {@code records} among them, not of workload telecom; the run's folder is made in {@code parent}. */
    public static Sample run(Driver driver, Path parent, Map<String, String> settings) throws Exception {
        return run(driver, parent, settings, null);
    }

    /** @param telecom what the records are in cells of workload telecom */
    public static Sample run(Driver driver, Path parent, Map<String, String> settings, Check.@Nullable Telecom telecom)
            throws Exception {
        Map<String, String> all = new HashMap<>(settings);
        all.put("check", "true");
        Cell cell = write(parent, all);
        try (SocketWatch sockets = SocketWatch.start()) {
            driver.run(cell);
            sockets.shouldHaveSeenLoopbackAlone();
        }
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.sent()).as("records sent").isEqualTo(cell.records());
        assertThat(total.received()).as("records received").isEqualTo(cell.records());
        assertThat(total.sumReceived()).as("sum of their numbers").isEqualTo(sumOfFirst(cell.records()));
        assertThat(total.sumSent()).as("sum of the numbers sent").isEqualTo(total.sumReceived());
        assertThat(total.damaged()).as("damaged records").isZero();
        Map<Long, Sample> processes = new HashMap<>();
        for (Path file : cell.folder().files(RunFolder.SAMPLES)) {
            List<Sample> samples = RunFolder.samples(file);
            processes.merge(RunFolder.pid(file), samples.get(samples.size() - 1), Sample::plus);
        }
        if (cell.crossings() > 0) {
            assertThat(processes.values())
                    .as("the sinks are where the sources are")
                    .allMatch(each ->
                            each.sent() == 0 || each.received() > 0 == (cell.placement() == Cell.Placement.BETWEEN));
        }
        if (Check.applies(cell)) {
            assertThat(Check.of(cell, telecom).problem(cell))
                    .as("record by record")
                    .isNull();
        }
        return total;
    }

    /** For a cell that was told to end: what its sources sent is there. */
    public static void shouldHaveLostNothing(Cell cell) throws IOException {
        Meters.closeAll();
        Sample total = cell.folder().totals();
        assertThat(total.received()).as("records received").isEqualTo(total.sent());
        assertThat(total.sumReceived()).as("sum of their numbers").isEqualTo(total.sumSent());
    }

    public static Cell write(Path parent, Map<String, String> settings) throws IOException {
        Cell cell = Cell.of(settings, Files.createTempDirectory(parent, "run"));
        cell.write();
        return cell;
    }

    private static long sumOfFirst(long n) {
        return n * (n - 1) / 2;
    }
}
