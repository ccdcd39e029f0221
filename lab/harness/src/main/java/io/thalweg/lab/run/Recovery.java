// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import io.thalweg.lab.driver.Delivery;
import io.thalweg.lab.result.RunResult;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How a run got over the end of one of its processes, as its sinks saw it.
 *
 * <p>The rate before is the median over the whole seconds before the kill. The rate is back at the first moment, in steps of a tenth
 * of a second from the kill on, that begins {@link #HELD} seconds each with {@link #SHARE} of it or more: one second would do for the
 * burst of a backlog too. Records that come out twice count twice.
 *
 * @param ratePerS records a second before the kill
 * @param backNs from the kill until the rate is back
 * @param silentNs the longest time in between in which nothing came out
 * @param problem why there are no such figures, or null; the figures are 0 then, except those known all the same
 */
record Recovery(
        double ratePerS,
        long backNs,
        long silentNs,
        @Nullable String problem) {
    static final double SHARE = 0.9;
    static final int HELD = 3;
    static final int BEFORE = 3;

    private static final long SECOND_NS = 1_000_000_000;

    /** Meters write so often, so what a point has more than the one before came out in so much time before it. */
    static final long STEP_NS = SECOND_NS / 10;

    RunResult.Recovery result(@Nullable Delivery delivery) {
        Delivery known = delivery == null || delivery.unknown() != null ? null : delivery;
        return new RunResult.Recovery(
                problem == null ? backNs / 1e9 : null,
                silentNs / 1e9,
                known == null ? null : (Long) known.lost(),
                known == null ? null : (Long) known.repeated());
    }

    /**
     * Looks at a track from when the run was measured to its end.
     *
     * @param points in order of time
     */
    static Recovery of(List<Track.Point> points, long measuredFromNs, long killNs, long endNs) {
        long whole = (killNs - measuredFromNs) / SECOND_NS;
        if (whole < BEFORE) {
            return new Recovery(0, 0, 0, "killed before " + BEFORE + " s were measured: no rate to come back to");
        }
        double before = median(points, killNs, whole);
        if (before <= 0) {
            return new Recovery(
                    0, 0, 0, "in half of the seconds before the kill nothing came out: no rate to come back to");
        }
        for (long from = killNs; from + HELD * SECOND_NS <= endNs; from += STEP_NS) {
            if (isBack(points, from, before)) {
                return new Recovery(before, from - killNs, silent(points, killNs, from), null);
            }
        }
        return new Recovery(
                before,
                0,
                silent(points, killNs, endNs),
                "the rate was not back at " + Math.round(SHARE * 100) + " % for " + HELD + " s within "
                        + (endNs - killNs) / SECOND_NS + " s of the kill");
    }

    private static double median(List<Track.Point> points, long killNs, long whole) {
        double[] seconds = LongStream.rangeClosed(1, whole)
                .mapToDouble(back -> second(points, killNs - back * SECOND_NS))
                .sorted()
                .toArray();
        int middle = seconds.length / 2;
        return seconds.length % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
    }

    private static boolean isBack(List<Track.Point> points, long fromNs, double before) {
        for (int i = 0; i < HELD; i++) {
            if (second(points, fromNs + i * SECOND_NS) < SHARE * before) {
                return false;
            }
        }
        return true;
    }

    private static double second(List<Track.Point> points, long fromNs) {
        return received(points, fromNs + SECOND_NS) - received(points, fromNs);
    }

    /** How many had come out at a time: between two points, as evenly as the last step before the later one allows. */
    private static double received(List<Track.Point> points, long timeNs) {
        double received = 0;
        long previousNs = Long.MIN_VALUE;
        for (Track.Point each : points) {
            if (each.timeNs() > timeNs) {
                long beginNs = Math.max(previousNs, each.timeNs() - STEP_NS);
                double share = (double) Math.max(0, timeNs - beginNs) / (each.timeNs() - beginNs);
                return received + share * (each.received() - received);
            }
            received = each.received();
            previousNs = each.timeNs();
        }
        return received;
    }

    private static long silent(List<Track.Point> points, long killNs, long untilNs) {
        long longest = 0;
        long lastNs = killNs;
        for (Track.Point each : points) {
            if (each.timeNs() > killNs) {
                longest = Math.max(longest, Math.min(untilNs, each.timeNs() - STEP_NS) - lastNs);
                lastNs = each.timeNs();
            }
        }
        return Math.max(longest, untilNs - lastNs);
    }
}
