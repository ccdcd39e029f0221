// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private static final long MS = 1_000_000;
    private static final long TENTH = 100 * MS;

    /** How many come out in each tenth of a second, a multiple of 100. */
    private static List<Track.Point> points(long[] tenths) {
        List<Track.Point> points = new ArrayList<>(List.of(new Track.Point(0, 0)));
        long received = 0;
        for (int i = 0; i < tenths.length; i++) {
            received += tenths[i];
            if (tenths[i] > 0) {
                points.add(new Track.Point((i + 1) * TENTH, received));
            }
        }
        return points;
    }

    private static Recovery recovery(long[] tenths, int killMs) {
        return Recovery.of(points(tenths), 0, killMs * MS, tenths.length * TENTH);
    }

    private static long[] steady(int tenths) {
        long[] steady = new long[tenths];
        Arrays.fill(steady, 1000);
        return steady;
    }

    @Test
    void findsWhenARunThatStoodStillIsBack() {
        long[] tenths = steady(200);
        Arrays.fill(tenths, 50, 75, 0);

        Recovery recovery = recovery(tenths, 5000);

        assertThat(recovery.problem()).isNull();
        assertThat(recovery.ratePerS()).isCloseTo(10_000, within(1e-6));
        assertThat(recovery.backNs()).isEqualTo(2400 * MS); // a second from there on lacks a tenth, which is 90 %
        assertThat(recovery.silentNs()).isEqualTo(2400 * MS);
    }

    @Test
    void takesNoBurstForARateThatIsBack() {
        long[] tenths = steady(200);
        Arrays.fill(tenths, 50, 140, 100);
        Arrays.fill(tenths, 70, 80, 9000);

        assertThat(recovery(tenths, 5000).backNs()).isBetween(8800 * MS, 9000 * MS);
    }

    @Test
    void saysWhyThereIsNoTime() {
        long[] dead = steady(200);
        Arrays.fill(dead, 50, 200, 0);

        assertThat(recovery(dead, 5000).problem()).contains("not back at 90 % for 3 s within 15 s");
        assertThat(recovery(dead, 5000).silentNs()).isEqualTo(15_000 * MS);
        assertThat(recovery(steady(200), 2900).problem()).contains("no rate to come back to");
        assertThat(recovery(new long[200], 5000).problem()).contains("nothing came out");
    }

    @Test
    void agreesWithACountOfEveryMillisecond() {
        int back = 0;
        int never = 0;
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            long[] tenths = new long[110 + random.nextInt(140)];
            int killMs = 3000 + random.nextInt(4000);
            int silentUntil = killMs / 100 + 1 + random.nextInt(60);
            int fullFrom = silentUntil + random.nextInt(60);
            for (int i = 0; i < tenths.length; i++) {
                long percent = i * 100 <= killMs || i >= fullFrom ? 100 : i < silentUntil ? 0 : random.nextInt(250);
                tenths[i] = percent * (95 + random.nextInt(11)) / 100 * 100;
            }

            int expected = backMs(tenths, killMs);
            Recovery recovery = recovery(tenths, killMs);

            if (expected < 0) {
                never++;
                assertThat(recovery.problem()).as("seed %d", seed).contains("not back");
            } else {
                back++;
                assertThat(recovery.problem()).as("seed %d", seed).isNull();
                assertThat(recovery.backNs()).as("seed %d", seed).isEqualTo(expected * MS);
                assertThat(recovery.silentNs())
                        .as("seed %d", seed)
                        .isEqualTo(silentMs(tenths, killMs, killMs + expected) * MS);
            }
        }
        assertThat(back).isPositive();
        assertThat(never).isPositive();
    }

    private static int backMs(long[] tenths, int killMs) {
        long[] counts = new long[tenths.length * 100];
        for (int ms = 0; ms < counts.length; ms++) {
            counts[ms] = tenths[ms / 100] / 100;
        }
        long[] before = new long[killMs / 1000];
        for (int i = 0; i < before.length; i++) {
            before[i] = sum(counts, killMs - (i + 1) * 1000);
        }
        Arrays.sort(before);
        long twice = before[(before.length - 1) / 2] + before[before.length / 2];
        for (int from = killMs; from + 3000 <= counts.length; from += 100) {
            long fewest = Math.min(sum(counts, from), Math.min(sum(counts, from + 1000), sum(counts, from + 2000)));
            if (fewest * 20 >= twice * 9) {
                return from - killMs;
            }
        }
        return -1;
    }

    private static int silentMs(long[] tenths, int fromMs, int toMs) {
        int longest = 0;
        int silent = 0;
        for (int ms = fromMs; ms < toMs; ms++) {
            silent = tenths[ms / 100] == 0 ? silent + 1 : 0;
            longest = Math.max(longest, silent);
        }
        return longest;
    }

    private static long sum(long[] counts, int from) {
        return Arrays.stream(counts, from, from + 1000).sum();
    }
}
