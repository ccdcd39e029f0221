// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Meters;
import io.thalweg.lab.driver.SinkMeter;
import io.thalweg.lab.result.Machine;
import io.thalweg.lab.sample.Sampler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The machine, and what the harness itself costs on it: source and sink with no engine between them. */
final class MachineProbe {
    private static final int RECORDS = 20_000_000;

    /** More than the caches that belong to one core hold. */
    private static final int COPIED_BYTES = 64 << 20;

    private static final int COPIES = 9;

    /** What this JVM has measured; null before. */
    private static @Nullable Cost known;

    private record Cost(long passNs, double clockNs) {}

    private MachineProbe() {}

    /**
     * What the harness costs is measured once in a JVM: another call in the same one would find the same machine.
     *
     * @param folder an empty one of its own
     */
    static synchronized Machine machine(Path folder, String version, @Nullable String commit) throws IOException {
        Cost cost = known;
        if (cost == null) {
            cost = new Cost(passNs(folder), clockNs());
            known = cost;
        }
        Runtime.Version java = Runtime.version();
        return new Machine(
                Sampler.cpu(),
                Runtime.getRuntime().availableProcessors(),
                Sampler.memoryMb(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + java,
                version,
                commit,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                RECORDS * 1e9 / cost.passNs,
                (double) cost.passNs / RECORDS,
                cost.clockNs);
    }

    private static long passNs(Path folder) throws IOException {
        Cell cell = Cell.of(Map.of("records", Integer.toString(3 * RECORDS)), folder);
        cell.write();
        Load load = Load.open(cell, 0, 1);
        SinkMeter sink = Meters.of(cell).sink();
        long passNs = Long.MAX_VALUE;
        for (int round = 0; round < 3; round++) {
            long start = System.nanoTime();
            pass(load, sink);
            passNs = Math.min(passNs, System.nanoTime() - start);
        }
        Meters.closeAll();
        return passNs;
    }

    private static void pass(Load load, SinkMeter sink) {
        for (int i = 0; i < RECORDS && !load.ended(); i++) {
            sink.received(load.take());
        }
    }

    /** How fast a thread copies memory, in GB/s read and written; the median of some copies. */
    static double memoryGbPerS() {
        byte[] from = new byte[COPIED_BYTES];
        byte[] to = new byte[COPIED_BYTES];
        System.arraycopy(from, 0, to, 0, COPIED_BYTES); // so that the system has given its pages
        long[] tookNs = new long[COPIES];
        for (int i = 0; i < COPIES; i++) {
            long start = System.nanoTime();
            System.arraycopy(from, 0, to, 0, COPIED_BYTES);
            tookNs[i] = System.nanoTime() - start;
        }
        Arrays.sort(tookNs);
        return 2.0 * COPIED_BYTES / tookNs[COPIES / 2];
    }

    private static double clockNs() {
        double best = Double.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long start = System.nanoTime();
            long last = start;
            for (int i = 0; i < 200_000; i++) {
                last = System.nanoTime();
            }
            best = Math.min(best, (last - start) / 200_000.0);
        }
        return best;
    }
}
