// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.topics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What else the machine did: all of its CPU time but that of this process and its children. */
final class Load {
    private static final Path STAT = Path.of("/proc/stat");
    private static final Path AVERAGE = Path.of("/proc/loadavg");

    /** Of a second, on every Linux that Java runs on. */
    private static final double TICKS = 100;

    /** The columns of {@code /proc/stat} in which a core is busy: user, nice, system, irq, softirq, steal. */
    private static final int[] BUSY = {1, 2, 3, 6, 7, 8};

    private final long beganNs = System.nanoTime();
    private final double machineS = machineS();
    private final double ownS = ownS();

    /** Load average of the machine now. */
    static String average() {
        try {
            return Files.readString(AVERAGE).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** How many cores others kept busy since this was made. */
    String others() {
        double seconds = (System.nanoTime() - beganNs) / 1e9;
        double others = machineS() - machineS - (ownS() - ownS);
        return machineS == 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", Math.max(0, others / seconds));
    }

    private static double machineS() {
        try {
            List<String> fields = List.of(Files.readAllLines(STAT).get(0).split(" +"));
            double ticks = 0;
            for (int column : BUSY) {
                ticks += Long.parseLong(fields.get(column));
            }
            return ticks / TICKS;
        } catch (IOException e) {
            return 0;
        }
    }

    private static double ownS() {
        Duration own = Child.cpu(ProcessHandle.current());
        return own.toNanos() / 1e9;
    }
}
