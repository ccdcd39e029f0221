// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes of records that fail, by a clock that the test moves. */
final class PendingTest {
    private static final long TIMEOUT_NS = 60_000_000_000L;
    private static final long[] NO_TIMES = {};

    private final Pending pending = new Pending(0, 100, TIMEOUT_NS, 0, () -> {});
    private final List<Pending.Sent> done = new ArrayList<>();
    private long nowNs = 5;
    private long ids = 1;

    private final Pending.Listener listener = new Pending.Listener() {
        @Override
        public void done(Pending.Sent record) {
            done.add(record);
        }

        @Override
        public void failed() {}

        @Override
        public void timedOut() {}

        @Override
        public void givenUp(Pending.Sent record, String operator, String reason) {}
    };

    private long send(Pending.Sent record) {
        return pending.send(record, ids++);
    }

    private Pending.Sent record(String value, long position) {
        return new Pending.Sent(value, 0, position, NO_TIMES, 0, 1, nowNs, nowNs);
    }

    /** Fails it, and gives what it waits before it is sent again, by looking each millisecond. */
    private Pending.Sent failed(long root) {
        pending.fail(root, "picky", "no");
        pending.look(nowNs, listener);
        long untilNs = pending.nextTimeoutNs();
        assertThat(pending.again(untilNs - 1)).isNull();
        nowNs = untilNs;
        return Objects.requireNonNull(pending.again(nowNs)).again(nowNs);
    }

    @Test
    void shouldWaitTwiceAsLongAfterEachFailure_upToABound() {
        Pending.Sent record = record("poison", 0);
        List<Long> waitsMs = new ArrayList<>();
        for (int failure = 1; failure <= 15; failure++) {
            long beganNs = nowNs;
            record = failed(send(record));
            waitsMs.add((nowNs - beganNs) / 1_000_000);
        }
        assertThat(waitsMs)
                .containsExactly(
                        10L, 20L, 40L, 80L, 160L, 320L, 640L, 1_280L, 2_560L, 5_120L, 10_240L, 20_480L, 30_000L,
                        30_000L, 30_000L);
        assertThat(record.times()).isEqualTo(16);
    }

    @Test
    void shouldLetOthersPassWhileOneWaits() {
        long poison = send(record("poison", 0));
        pending.fail(poison, "picky", "no");
        pending.look(nowNs, listener);
        for (int n = 1; n <= 500; n++) { // more than may be pending at a time
            assertThat(pending.room()).isPositive();
            long id = ids;
            pending.report(send(record("good " + n, n)), id, listener);
        }
        assertThat(done).hasSize(500);
        assertThat(pending.open()).isEqualTo(1);
        assertThat(Objects.requireNonNull(pending.oldest(0)).value())
                .as("what a checkpoint goes back to")
                .isEqualTo("poison");
    }

    @Test
    void shouldSendWhatTookTooLongAgainAtOnce() {
        send(record("slow", 0));
        pending.look(nowNs + TIMEOUT_NS, listener);
        assertThat(pending.again(nowNs + TIMEOUT_NS)).isNotNull();
    }
}
