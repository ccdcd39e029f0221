// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Check;
import io.thalweg.workloads.telecom.TelecomLines;
import io.thalweg.workloads.telecom.TelecomSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run that is not timed and looks at every record and every group: about a second's worth of records, in the process of a timed
 * run that has just ended, so that it costs little.
 */
final class CheckRun {
    private static final long FEWEST = 100;
    private static final long MOST = 1_000_000;
    private static final long MOST_OF_LARGE = 200_000;
    private static final long MOST_FOR_WINDOWS = 4_000_000;
    private static final long WINDOW_TO_CHECK = 100_000;

    /** What a worker of a cluster saw last may be written after the job has ended. */
    private static final Duration TO_WRITE = Duration.ofSeconds(3);

    private CheckRun() {}

    /** How it ended: with what it found, or with a reason for which it found nothing. */
    record Outcome(@Nullable Check found, @Nullable String problem) {}

    /** The settings of a timed run, with those of a run that checks. */
    static Map<String, String> settings(Cell timed, double recordsPerS) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("check", "true");
        settings.put("live-heap", "false");
        settings.put("profile", "false");
        settings.put("stall-ms", "0");
        settings.put("slowdown-percent", "0");
        settings.put("emission-s", "0"); // event times by number, which the lab can compute again
        settings.put("counted", "sinks");
        if (timed.workload() == Cell.Workload.GROUP_BY && timed.window() * 5 / 2 > MOST_FOR_WINDOWS) {
            settings.put("window", Long.toString(WINDOW_TO_CHECK));
        }
        if (timed.hoard() > 0) {
            settings.put("hoard", "1_000_000"); // what the timed run kept may be on the heap still
        }
        if (timed.records() == 0) {
            Cell checked = timed.with(settings, Path.of(""));
            settings.put("records", Long.toString(records(checked, recordsPerS)));
        }
        return settings;
    }

    private static long records(Cell cell, double recordsPerS) {
        boolean large = cell.workload() == Cell.Workload.TELECOM
                || (cell.workload() == Cell.Workload.WINDOWS && cell.operation() != Cell.Operation.TUMBLING);
        long most = large ? MOST_OF_LARGE : MOST;
        long aSecond = (long) Math.max(FEWEST, Math.min((double) most, recordsPerS));
        long windows = cell.window() * 5 / 2;
        boolean some = cell.workload() == Cell.Workload.GROUP_BY
                && windows <= MOST_FOR_WINDOWS
                && windows <= (long) (4 * recordsPerS);
        return some ? Math.max(aSecond, windows) : aSecond;
    }

    /** Runs it in a folder of its own. */
    static Outcome run(DriverProcess driver, Cell timed, Path folder, double recordsPerS, Duration atMost)
            throws IOException {
        Files.createDirectories(folder);
        Cell cell = timed.with(settings(timed, recordsPerS), folder);
        cell.write();
        driver.order(folder);
        String answer = driver.answer(atMost);
        if (answer == null) {
            driver.kill();
            return new Outcome(null, "the run that checks every record did not end in " + atMost.toSeconds() + " s");
        }
        if (!answer.equals("done")) {
            String why = answer.equals("ended") ? "its process ended" + driver.lastWords() : answer;
            return new Outcome(null, "the run that checks every record: " + why);
        }
        return found(cell);
    }

    private static Check.Telecom telecom(String size) {
        TelecomSize named = TelecomSize.named(size);
        return new Check.Telecom(TelecomLines.groups(named), TelecomLines.units(named));
    }

    private static Outcome found(Cell cell) throws IOException {
        Check.Telecom telecom = cell.workload() == Cell.Workload.TELECOM ? telecom(cell.value("size")) : null;
        long deadline = System.nanoTime() + TO_WRITE.toNanos();
        while (true) {
            if (cell.folder().isBroken()) {
                return new Outcome(null, "the run that checks every record: " + CellRun.BROKEN);
            }
            Check found = Check.of(cell, telecom);
            String problem = found.problem(cell);
            if (problem == null || cell.processes() == 1 || System.nanoTime() - deadline > 0) {
                return new Outcome(found, problem == null ? null : "checked record by record: " + problem);
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Outcome(null, "interrupted while every record was checked");
            }
        }
    }
}
