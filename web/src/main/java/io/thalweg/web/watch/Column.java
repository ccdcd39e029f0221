// SPDX-License-Identifier: Apache-2.0
package io.thalweg.web.watch;

import io.thalweg.api.stats.JobStats;
import io.thalweg.api.stats.LatencyHistogram;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened between two looks: a column of what is drawn over time.
 *
 * @param number of the column, from 1
 * @param epochMs when it ended, in epoch milliseconds
 * @param in records read per second
 * @param out records written per second
 * @param latencies how many samples fell between two bounds of {@link LatencyHistogram#upToUs}, and last, above all; empty if none did
 */
public record Column(long number, long epochMs, double in, double out, List<Long> latencies) {
    public Column {
        latencies = List.copyOf(latencies);
    }

    static Column between(long number, JobSample before, JobSample now) {
        JobStats was = before.stats();
        JobStats is = now.stats();
        double seconds = (is.elapsedNs() - was.elapsedNs()) / 1e9;
        return new Column(
                number,
                now.epochMs(),
                Math.max(0, is.recordsIn() - was.recordsIn()) / seconds,
                Math.max(0, is.recordsOut() - was.recordsOut()) / seconds,
                added(was.latencies(), is.latencies()));
    }

    private static List<Long> added(LatencyHistogram was, LatencyHistogram is) {
        if (is.total() <= was.total()) {
            return List.of();
        }
        List<Long> added = new ArrayList<>();
        long below = 0;
        for (int i = 0; i <= is.samples().size(); i++) {
            long upTo = upTo(is, i) - upTo(was, i);
            added.add(upTo - below);
            below = upTo;
        }
        return added;
    }

    private static long upTo(LatencyHistogram of, int bound) {
        return bound < of.samples().size() ? of.samples().get(bound) : of.total();
    }
}
