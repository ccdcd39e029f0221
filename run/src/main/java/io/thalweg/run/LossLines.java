// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.DurationText;
import io.thalweg.api.stats.ConnectionStats;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Tells the user of each loss of a system, and of its end, from the statistics of a job. For one thread at a time. */
public final class LossLines {
    private final Consumer<String> warnings;
    private final Map<List<String>, ConnectionStats> told = new HashMap<>();

    /** @param warnings gets one line for each loss and each end of one */
    public LossLines(Consumer<String> warnings) {
        this.warnings = warnings;
    }

    /** @param now as {@link ConnectionStats#merged} has them */
    public void look(List<ConnectionStats> now) {
        for (ConnectionStats each : now) {
            ConnectionStats before = told.put(List.of(each.operator(), each.system()), each);
            if (before != null && before.timesLost() > each.timesLost()) {
                before = null; // the job was started again
            }
            boolean wasLost = before != null && before.isLost();
            boolean again = before == null || each.timesLost() > before.timesLost();
            String begin = "operator '" + each.operator() + "': " + each.system();
            if ((again || each.isLost()) && !wasLost) { // of two tasks, one may lose it when the other has it again
                warnings.accept(begin + " is not available (" + each.reason() + "); the job waits for it");
            }
            if (!each.isLost() && (wasLost || again)) {
                warnings.accept(begin + " is available again; it was lost "
                        + (each.timesLost() == 1 ? "once" : each.timesLost() + " times") + ", for "
                        + DurationText.of(Duration.ofNanos(each.lostNs())) + " in all; the job continues");
            }
        }
    }
}
