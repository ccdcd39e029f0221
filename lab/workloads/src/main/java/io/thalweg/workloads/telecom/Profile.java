// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What all records of one profile have in common, made once, and the rules that give each of them its measures. */
final class Profile {
    static final double SPARSE_VALUE = 0.25;

    final Dimensions dimensions;

    final long[] bases;
    private final Long volumeCharged;
    private final BigDecimal cost;
    private final @Nullable Double sparse;

    // Made on first use; two threads may both make one, and see either: what is in it is final.
    private @Nullable Encoded json;
    private @Nullable Encoded csv;

    private record Encoded(byte[] bytes) {}

    Profile(int number, Dimensions dimensions) {
        this.dimensions = dimensions;
        bases = Measure.bases(number);
        volumeCharged = bases[17];
        cost = BigDecimal.valueOf(bases[18], 4);
        sparse = Measure.sparse(number) ? Double.valueOf(SPARSE_VALUE) : null;
    }

    /**
     * @param n number of the record's cycle, from the first window on
     * @param q number of the record's cycle in its window
     */
    Probe.Measures measures(long n, int q) {
        long[] b = bases;
        int phase = (int) n & 3;
        int odd = phase & 1;
        return new Probe.Measures(
                1,
                b[1] + q,
                b[2] + q,
                b[3] + q,
                b[4] + q,
                b[5] + q,
                b[6] + q,
                b[7] + q,
                b[8] + q,
                phase == 2 ? 1 : 0, // M10: 10 mod 4
                phase == 3 ? 1 : 0,
                phase == 0 ? 1 : 0,
                (b[12] + q) / 8.0, // eighths: exact, so that sums are too, in any order
                (b[13] + q) / 8.0,
                (b[14] + q) / 8.0,
                (int) -b[15] - odd,
                (int) -b[16] - odd,
                phase == 0 ? null : volumeCharged,
                phase == 0 ? null : cost,
                sparse);
    }

    /** The dimensions as they stand in a line. */
    byte[] encoded(LineFormat format) {
        Encoded known = format == LineFormat.JSON ? json : csv;
        if (known == null) {
            LineBuffer line = new LineBuffer(1_536);
            format.append(dimensions, line);
            known = new Encoded(line.toBytes());
            if (format == LineFormat.JSON) {
                json = known;
            } else {
                csv = known;
            }
        }
        return known.bytes;
    }
}
