// SPDX-License-Identifier: Apache-2.0
package io.thalweg.http;

import java.util.Random;

/** How long to wait before the next try: twice as long each time, and at random less by up to a half, so that tasks spread. */
record Backoff(Random random) {
    private static final long FIRST_MS = 100;
    private static final long LONGEST_MS = 10_000;
    private static final int MOST_DOUBLINGS = 10;

    /** @param tries that have failed */
    long ms(int tries) {
        long longest = Math.min(LONGEST_MS, FIRST_MS << Math.min(tries - 1, MOST_DOUBLINGS));
        return longest - random.nextLong(longest / 2 + 1);
    }
}
