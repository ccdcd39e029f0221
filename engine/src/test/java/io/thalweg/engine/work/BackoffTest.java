// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BackoffTest {
    private static final long SPIN_NS = 20_000;
    private static final long MS = 1_000_000;

    private final Backoff backoff = new Backoff(SPIN_NS);
    private long nowNs = Long.MAX_VALUE - 3 * MS; // the clock's origin is arbitrary: it overflows meanwhile

    /** One record after so long; true if the worker looked again all the time. */
    private boolean recordAfter(long waitNs) {
        boolean spins = backoff.spins(nowNs) && backoff.spins(nowNs + waitNs - 1);
        nowNs += waitNs;
        backoff.busy(nowNs);
        nowNs += 500;
        return spins;
    }

    private void shortWaits(int count) {
        for (int i = 0; i < count; i++) {
            recordAfter(SPIN_NS - 1);
        }
    }

    @Test
    void shouldLookAgain_onlyWhileRecordsComeCloseTogether() {
        shortWaits(Backoff.SHORT_WAITS - 1);
        assertThat(recordAfter(SPIN_NS - 1)).isFalse();
        assertThat(recordAfter(SPIN_NS - 1)).isTrue();

        assertThat(recordAfter(5 * SPIN_NS)).isFalse(); // a tenth of a million a second
        assertThat(recordAfter(SPIN_NS - 1)).isFalse();
    }

    @Test
    void shouldSleep_afterLookingAgainForSoLong() {
        shortWaits(Backoff.SHORT_WAITS);
        assertThat(backoff.spins(nowNs)).isTrue();
        assertThat(backoff.spins(nowNs + SPIN_NS - 1)).isTrue();
        assertThat(backoff.spins(nowNs + SPIN_NS)).isFalse();
    }

    /** Or who once slept would always, since it takes longer than a short wait to wake up. */
    @Test
    void shouldNotCountWakingUpAsWaiting() {
        for (int i = 0; i < Backoff.SHORT_WAITS; i++) {
            backoff.spins(nowNs);
            backoff.wokenAt(nowNs + SPIN_NS / 2);
            nowNs += 4 * SPIN_NS;
            backoff.busy(nowNs);
        }
        assertThat(recordAfter(1_000)).isTrue();

        backoff.spins(nowNs); // and nobody wakes it: the last time does not count again
        nowNs += 4 * SPIN_NS;
        backoff.busy(nowNs);
        assertThat(recordAfter(1_000)).isFalse();
    }

    @Test
    void shouldSleepLonger_theLongerItWaits() {
        backoff.spins(nowNs);
        assertThat(backoff.sleepNs(nowNs, true)).isEqualTo(Backoff.SHORTEST_SLEEP_NS);
        assertThat(backoff.sleepNs(nowNs + 100 * MS, true)).isEqualTo(MS);
        assertThat(backoff.sleepNs(nowNs + 500 * MS, true)).isEqualTo(5 * MS);
        assertThat(backoff.sleepNs(nowNs + 60_000 * MS, true)).isEqualTo(Backoff.LONGEST_SLEEP_NS);
        backoff.busy(nowNs + 60_000 * MS);
        backoff.spins(nowNs + 60_001 * MS);
        assertThat(backoff.sleepNs(nowNs + 60_001 * MS, true)).isEqualTo(Backoff.SHORTEST_SLEEP_NS);
    }

    @Test
    void shouldSleepLongerAtOnce_ifNothingIsPolled() {
        backoff.spins(nowNs);
        assertThat(backoff.sleepNs(nowNs, false)).isEqualTo(Backoff.SHORTEST_UNPOLLED_NS);
        assertThat(backoff.sleepNs(nowNs + 2_000 * MS, false)).isEqualTo(20 * MS);
        assertThat(backoff.sleepNs(nowNs + 60_000 * MS, false)).isEqualTo(Backoff.LONGEST_SLEEP_NS);
    }

    @Test
    void shouldSpinAlwaysOrNever_whereTold() {
        Backoff always = new Backoff(Long.MAX_VALUE);
        assertThat(always.spins(nowNs)).isTrue();
        assertThat(always.spins(nowNs + 3_600_000 * MS)).isTrue();

        Backoff never = new Backoff(0);
        for (int i = 0; i < 100; i++) {
            assertThat(never.spins(nowNs)).isFalse();
            never.busy(nowNs);
        }
    }

    @Test
    void shouldSleepUntilDue_butNotWakeUpTooOften() {
        backoff.awake(nowNs);
        assertThat(backoff.sleepNs(nowNs, nowNs + 3 * MS)).isEqualTo(3 * MS);
        assertThat(backoff.sleepNs(nowNs, nowNs + 100_000)).isEqualTo(Backoff.COALESCED_NS);

        nowNs += 300_000;
        assertThat(backoff.sleepNs(nowNs, nowNs - 200_000)).isEqualTo(Backoff.COALESCED_NS - 300_000);

        nowNs += 5 * MS; // overflows
        assertThat(backoff.sleepNs(nowNs, nowNs + 100_000)).isEqualTo(100_000);
        assertThat(backoff.sleepNs(nowNs, nowNs)).isZero();
    }
}
