// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The 20 measures M1 to M20, in their order. A measure's value follows from the profile's <em>base</em> and the record's
 * cycle number n by the rule of its kind.
 */
enum Measure {
    RECORDS(Kind.ONE, null, 0, null),
    BYTES_UP(Kind.COUNTER, Mix.BYTES_UP, 800, Mix.BYTES_UP_TAIL),
    BYTES_DOWN(Kind.COUNTER, Mix.BYTES_DOWN, 4_000, Mix.BYTES_DOWN_TAIL),
    PKTS_UP(Kind.COUNTER, Mix.PKTS_UP, 12, Mix.PKTS_UP_TAIL),
    PKTS_DOWN(Kind.COUNTER, Mix.PKTS_DOWN, 30, Mix.PKTS_DOWN_TAIL),
    DURATION_MS(Kind.COUNTER, Mix.DURATION, 5_000, Mix.DURATION_TAIL),
    RETRANS(Kind.COUNTER, Mix.RETRANS, 6, Mix.RETRANS_TAIL),
    DNS_MS(Kind.COUNTER, Mix.DNS, 60, Mix.DNS_TAIL),
    TCP_MS(Kind.COUNTER, Mix.TCP, 200, Mix.TCP_TAIL),
    DROPS(Kind.FLAG, null, 0, null),
    HANDOVERS(Kind.FLAG, null, 0, null),
    SETUP_FAIL(Kind.FLAG, null, 0, null),
    RTT(Kind.EIGHTHS, Mix.RTT, 4_000, null),
    JITTER(Kind.EIGHTHS, Mix.JITTER, 400, null),
    MOS(Kind.EIGHTHS, Mix.MOS, 26, null),
    RSRP(Kind.SIGNAL, Mix.RSRP, 100_000, null),
    SINR(Kind.SIGNAL, Mix.SINR, 100_000, null),
    VOLUME_CHARGED(Kind.CHARGED, Mix.VOLUME_CHARGED, 100_000, null),
    COST(Kind.CHARGED, Mix.COST, 1_000_000, null),
    SPARSE(Kind.SPARSE, null, 0, null);

    enum Kind {
        /** Always 1. */
        ONE,
        /** base + n mod C */
        COUNTER,
        /** 1 where n and the measure's number (10, 11, 12) are equal modulo 4, else 0 */
        FLAG,
        /** (base + n mod C) / 8 */
        EIGHTHS,
        /** -base - n mod 2 */
        SIGNAL,
        /** null if 4 divides n, else base (cost: in units of 1/10,000) */
        CHARGED,
        /** 0.25 for every hundredth profile, null for all others */
        SPARSE
    }

    private static final Measure[] ALL = values();

    private static final int LONGEST_TAIL = 20;
    private static final int SIGNAL_LEVELS = 140;

    final Kind kind;
    final String fieldName;
    private final @Nullable Mix mix;
    private final int bound;
    private final @Nullable Mix tail;

    Measure(Kind kind, @Nullable Mix mix, int bound, @Nullable Mix tail) {
        this.kind = kind;
        this.mix = mix;
        this.bound = bound;
        this.tail = tail;
        String words = Arrays.stream(name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
        this.fieldName = words.substring(0, 1).toLowerCase(Locale.ROOT) + words.substring(1);
    }

    /** True for the profiles that have the sparse measure. */
    static boolean sparse(int profile) {
        return profile % 100 == 0;
    }

    /** The bases of all 20, in their order. */
    static long[] bases(int profile) {
        long[] bases = new long[ALL.length];
        for (int i = 0; i < bases.length; i++) {
            bases[i] = ALL[i].base(profile);
        }
        return bases;
    }

    /** What the profile contributes to the value; 0 if it contributes nothing. */
    private long base(int profile) {
        if (mix == null) {
            return 0;
        }
        long base = mix.of(profile, bound);
        if (kind == Kind.SIGNAL) {
            return base % SIGNAL_LEVELS;
        }
        // half of the profiles times 1, a quarter times 2, ... one in a million times 2^20
        return tail == null ? base : base << Math.min(LONGEST_TAIL, Long.numberOfTrailingZeros(tail.of(profile)));
    }
}
