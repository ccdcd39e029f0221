// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What became of all records of a run in which a process was killed, by their numbers.
 *
 * @param records that had to come out: those before the positions at which the sources ended
 * @param lost of them, that did not come out
 * @param repeated how often one came out again
 * @param unknown why that cannot be told; null if it can
 */
public record Delivery(
        long records, long lost, long repeated, @Nullable String unknown) {

    /** Of a run that has ended. */
    public static Delivery of(Cell cell) throws IOException {
        Output.Sum out = new Output.Sum();
        for (Path file : cell.folder().files(RunFolder.OUTPUT)) {
            out.add(file);
        }
        long records = 0;
        long lost = 0;
        int tasks = 0;
        for (RunFolder.Position each : cell.folder().positions()) {
            tasks++;
            records += each.numbers();
            for (long i = 0; i < each.numbers(); i++) {
                lost += out.has(each.task() + i * each.tasks()) ? 0 : 1;
            }
        }
        return new Delivery(records, lost, out.repeated(), unknown(tasks, cell.sources(), out.outside()));
    }

    private static @Nullable String unknown(int tasks, int sources, long outside) {
        if (tasks < sources) {
            return "only " + tasks + " of " + sources + " sources said how far they came";
        }
        return outside == 0 ? null : "more records than the " + Output.LIMIT + " that are looked at: set a rate";
    }

    /** Why that is not what the cell's guarantee promises; null if it is. */
    public @Nullable String problem(Cell cell) {
        if (unknown != null) {
            return unknown;
        }
        if (lost > 0) {
            return "lost " + lost + " of " + records + " records after a process was killed";
        }
        return repeated > 0 && cell.guarantee() == Cell.Guarantee.EXACTLY_ONCE
                ? repeated + " of " + records + " records came out again after a process was killed"
                : null;
    }
}
