// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

/**
 * How often each profile comes, in what is all that sums depend on: for each profile the number of records of each cycle
 * number n modulo 4, and the sum of their n modulo C. A few numbers a profile, however many records.
 */
final class Occurrences {
    private static final int PHASES = 4;
    private static final int WIDTH = PHASES + 1;

    private final TelecomProfiles profiles;
    private final TelecomSize size;
    private final long[] counts;

    Occurrences(TelecomProfiles profiles) {
        this.profiles = profiles;
        this.size = profiles.size();
        counts = new long[WIDTH * size.profiles()];
    }

    /** Adds all records of whole windows that fall on the same cycles modulo 4. */
    void addWindows(long window, long windows) {
        long[] cycles = new long[PHASES];
        long sum = 0;
        for (int q = 0; q < size.cycles(); q++) {
            cycles[phase(window * size.cycles() + q)]++;
            sum += q;
        }
        for (int g = 0; g < size.profiles(); g++) {
            long each = windows * profiles.weight(g);
            for (int phase = 0; phase < PHASES; phase++) {
                counts[WIDTH * g + phase] += each * cycles[phase];
            }
            counts[WIDTH * g + PHASES] += each * sum;
        }
    }

    /** Adds record {@code i}, or with -1 takes it away. */
    void add(long i, int times) {
        long cycle = size.cycleOf(i);
        int at = WIDTH * profiles.profileOf(i);
        counts[at + phase(cycle)] += times;
        counts[at + PHASES] += times * (cycle & (size.cycles() - 1));
    }

    private static int phase(long cycle) {
        return (int) cycle & (PHASES - 1);
    }

    long records(int profile) {
        long records = 0;
        for (int phase = 0; phase < PHASES; phase++) {
            records += of(profile, phase);
        }
        return records;
    }

    /** Records of a profile whose cycle number is {@code phase} modulo 4. */
    long of(int profile, int phase) {
        return counts[WIDTH * profile + phase];
    }

    /** The sum of n mod C over the records of a profile. */
    long cycleSum(int profile) {
        return counts[WIDTH * profile + PHASES];
    }
}
