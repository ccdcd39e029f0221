// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Barriers that begin within a loop, of one task, and its end. */
final class LoopTest {
    private static final int RUNNING = -1;

    private int woken;
    private final Loop loop = new Loop(
            new Loop.Extent("loop", List.of("all"), List.of(1), 1, 10), new Alone(), List.of(() -> woken++), true);

    @Test
    void shouldEndTimeWhenNeitherRecordsNorBarriersAreWithin() {
        loop.sending(1);
        loop.inputEnded(false);

        assertThat(loop.beginsBarrier(5)).isTrue();
        loop.holding(-1);
        assertThat(loop.stepOf(0)).as("the barrier is on its way").isEqualTo(RUNNING);
        loop.saving(-1);
        assertThat(loop.stepOf(0)).isZero();
        assertThat(loop.beginsBarrier(6)).as("time ends").isFalse();
    }

    /** What a barrier makes an operator emit is counted before the barrier is counted off. */
    @Test
    void shouldNotEndTimeBeforeRecordsThatABarrierHasBroughtForth() {
        loop.saving(1);
        loop.inputEnded(false);

        loop.sending(1);
        loop.saving(-1);

        assertThat(loop.stepOf(0)).isEqualTo(RUNNING);
        loop.holding(-1);
        assertThat(loop.stepOf(0)).isZero();
    }

    /** The checkpoint before is still on its way. Otherwise the next one, and the next, would keep the loop from its end. */
    @Test
    void shouldBeginNoBarrierInAnEmptyLoop_untilRecordsComeAgain() {
        loop.saving(1);
        loop.inputEnded(false);
        assertThat(loop.beginsBarrier(5)).isFalse();

        woken = 0;
        loop.sending(1);
        assertThat(woken).as("woken by what was sent").isEqualTo(1);
        assertThat(loop.beginsBarrier(5)).isTrue();

        loop.holding(-1);
        assertThat(loop.beginsBarrier(6)).isFalse();
        woken = 0;
        loop.holding(2);
        assertThat(woken).as("woken by what is held").isEqualTo(1);
        assertThat(loop.beginsBarrier(6)).isTrue();
    }

    /** Or that checkpoint would wait for this task, and the loop for the checkpoint. */
    @Test
    void shouldBeginABarrierInAnEmptyLoop_thatAnotherTaskHasPassed() {
        loop.saving(1);
        loop.inputEnded(false);
        assertThat(loop.beginsBarrier(5)).isFalse();

        woken = 0;
        loop.passed(5);
        assertThat(woken).isEqualTo(1);
        assertThat(loop.beginsBarrier(5)).isTrue();
        assertThat(loop.beginsBarrier(6)).isFalse();
    }

    /** A loop that is empty now and then takes checkpoints while input is to come. */
    @Test
    void shouldBeginABarrierInAnEmptyLoop_ifInputIsToCome() {
        assertThat(loop.beginsBarrier(5)).isTrue();
    }
}
