// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.JavaProcess;
import io.thalweg.lab.driver.Meters;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A cell in a process of its own, which the lab kills. It is started again at once, as a service manager does, and goes on from its
 * newest checkpoint.
 */
final class Worker {
    /** Exit status of a process that SIGKILL ended. */
    private static final int KILLED = 137;

    private Worker() {}

    /** With the Java options of this process. */
    static void runUntilItEnds(Cell cell) throws Exception {
        Path folder = cell.folder().path();
        List<String> options = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-Djava.io.tmpdir="))
                .toList();
        boolean killed = false;
        while (true) {
            try (JavaProcess process = JavaProcess.start(
                    killed ? "restarted" : "started",
                    folder,
                    Map.of(),
                    options,
                    System.getProperty("java.class.path"),
                    List.of(Worker.class.getName(), folder.toString()))) {
                cell.folder().setWorker(process.pid());
                int code = process.waitFor();
                if (code == 0) {
                    return;
                }
                if (killed || code != KILLED) {
                    throw new IllegalStateException("the process " + (killed ? "that took over " : "")
                            + "ended with code " + code + ": " + process.lastLine());
                }
                killed = true;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ThalwegDriver.embedded(Cell.in(Path.of(arguments[0])));
        Meters.closeAll();
    }
}
