// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import java.util.List;

/**
 * Says when a rate has settled: the last three spans of time lie within 10 % of their mean, and that mean is no more than 10 %
 * above the mean of the three before. It cannot tell a plateau from a pause in warming up; the length of the spans decides how
 * long a pause deceives it.
 */
record WarmUp(double spanS) {
    private static final int SPANS = 3;
    private static final double NEAR = 0.10;

    boolean settled(List<Track.Point> points, long nowNs) {
        long spanNs = (long) (spanS * 1e9);
        if (points.isEmpty() || nowNs - points.get(0).timeNs() < 2 * SPANS * spanNs) {
            return false;
        }
        double[] rates = new double[2 * SPANS];
        for (int i = 0; i < rates.length; i++) {
            long end = nowNs - (rates.length - 1 - i) * spanNs;
            rates[i] = Track.rate(points, end - spanNs, end);
        }
        double before = (rates[0] + rates[1] + rates[2]) / SPANS;
        double now = (rates[3] + rates[4] + rates[5]) / SPANS;
        boolean even = true;
        for (int i = SPANS; i < rates.length; i++) {
            even &= Math.abs(rates[i] - now) <= NEAR * now;
        }
        return even && now > 0 && now <= (1 + NEAR) * before;
    }
}
