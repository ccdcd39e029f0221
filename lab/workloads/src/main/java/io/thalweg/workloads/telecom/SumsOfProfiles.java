// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.math.BigDecimal;

/** Adds up, in closed form, what profiles contribute to each sum. */
final class SumsOfProfiles {
    private final long[] units = new long[20];
    private long charged;
    private long sparse;

    /**
     * Adds all records of a profile at once. Counters and eighths are base + q each, so c records make c * base + sum of
     * q; flags count the records of one phase; what is charged leaves those of phase 0 out.
     */
    void add(int profile, long[] bases, Occurrences occurrences) {
        long c = occurrences.records(profile);
        long cycleSum = occurrences.cycleSum(profile);
        long odd = occurrences.of(profile, 1) + occurrences.of(profile, 3);
        long chargedHere = c - occurrences.of(profile, 0);
        units[0] += c;
        for (int k = 1; k <= 8; k++) {
            units[k] += c * bases[k] + cycleSum;
        }
        units[9] += occurrences.of(profile, 2);
        units[10] += occurrences.of(profile, 3);
        units[11] += occurrences.of(profile, 0);
        for (int k = 12; k <= 14; k++) {
            units[k] += c * bases[k] + cycleSum;
        }
        units[15] -= c * bases[15] + odd;
        units[16] -= c * bases[16] + odd;
        units[17] += chargedHere * bases[17];
        units[18] += chargedHere * bases[18];
        charged += chargedHere;
        sparse += Measure.sparse(profile) ? c : 0;
    }

    boolean empty() {
        return units[0] == 0;
    }

    TelecomSums toSums() {
        return new TelecomSums(
                units[0],
                units[1],
                units[2],
                units[3],
                units[4],
                units[5],
                units[6],
                units[7],
                units[8],
                units[9],
                units[10],
                units[11],
                units[12] / 8.0,
                units[13] / 8.0,
                units[14] / 8.0,
                units[15],
                units[16],
                charged == 0 ? null : Long.valueOf(units[17]),
                charged == 0 ? null : BigDecimal.valueOf(units[18], 4),
                sparse == 0 ? null : Double.valueOf(sparse * Profile.SPARSE_VALUE));
    }
}
