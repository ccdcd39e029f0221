// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** For the tests of drivers: kills the process that does the work, and checks what comes out once another one does it. */
public final class KillCheck {
    /** On a busy machine a cluster takes minutes to start, and to notice that a process is gone. */
    private static final Duration LONG = Duration.ofMinutes(15);

    private static final long SOME = 50_000;

    private final FutureTask<Void> run;
    private final Cell cell;
    private final long untilNs = System.nanoTime() + LONG.toNanos();

    private KillCheck(Driver driver, Cell cell) {
        this.cell = cell;
        run = new FutureTask<>(() -> {
            driver.run(cell);
            return null;
        });
    }

    public static Delivery run(Driver driver, Path parent, Map<String, String> settings) throws Exception {
        KillCheck check = new KillCheck(driver, CellCheck.write(parent, settings));
        check.cell.check();
        Thread thread = new Thread(check.run, "driver");
        thread.start();
        try {
            check.killAndStop();
            check.run.get();
        } finally {
            thread.interrupt();
        }
        Delivery delivery = Delivery.of(check.cell);
        assertThat(delivery.problem(check.cell)).isNull();
        assertThat(delivery.records()).isGreaterThan(SOME);
        return delivery;
    }

    private void killAndStop() throws Exception {
        awaitReceived(List.of());
        List<Path> before = cell.folder().files(RunFolder.SAMPLES);
        long worker = cell.folder().worker().orElseThrow();
        assertThat(before).allMatch(file -> RunFolder.pid(file) == worker);
        assertThat(ProcessHandle.of(worker).orElseThrow().destroyForcibly()).isTrue();
        awaitReceived(before);
        cell.folder().stop();
    }

    /** Until processes other than those that had these files have received some; long enough for checkpoints meanwhile. */
    private void awaitReceived(List<Path> before) throws Exception {
        while (received(before) < SOME) {
            if (run.isDone()) {
                run.get();
                throw new AssertionError("it ended before it was told to");
            }
            assertThat(System.nanoTime()).as("in time").isLessThan(untilNs);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private long received(List<Path> before) throws IOException {
        long received = 0;
        for (Path file : cell.folder().files(RunFolder.SAMPLES)) {
            List<Sample> samples = before.contains(file) ? List.of() : RunFolder.samples(file);
            received += samples.isEmpty() ? 0 : samples.get(samples.size() - 1).received();
        }
        return received;
    }
}
