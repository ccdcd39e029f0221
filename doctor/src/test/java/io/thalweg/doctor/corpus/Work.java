// SPDX-License-Identifier: Apache-2.0
package io.thalweg.doctor.corpus;

import java.util.concurrent.locks.LockSupport;

/** What operators of planted jobs do. */
final class Work {
    /** About a microsecond and a half on a core of 2020. */
    private static final int ROUNDS = 500;

    private Work() {}

    /** Keeps a core for so many microseconds, about. */
    static long compute(long value, int micros) {
        long x = value | 1;
        for (int i = 0; i < ROUNDS * micros; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }

    /** Stands still, as a call to a service does. */
    static long call(long value, long micros) {
        LockSupport.parkNanos(micros * 1_000);
        return value;
    }
}
