// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.stages;

/** How many tasks each operator needs so that none holds the others up: their ratio is that of the rates. */
final class Balance {
    private static final double NS_PER_SECOND = 1e9;

    private Balance() {}

    /**
     * Records of sources per second at which so many cores are busy.
     *
     * @param sourceNs of one core for a record of a source, for all operators; more than 0
     */
    static double rate(double sourceNs, int cores) {
        return cores * NS_PER_SECOND / sourceNs;
    }

    /**
     * Tasks with which an operator keeps up.
     *
     * @param sourceNs of one core for a record of a source, for this operator
     * @param rate records of sources per second
     */
    static long tasks(double sourceNs, double rate) {
        double busy = sourceNs * rate / NS_PER_SECOND;
        return Math.max(1, (long) Math.ceil(busy - ROUNDING));
    }

    private static final double ROUNDING = 1e-6;
}
