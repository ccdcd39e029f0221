// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.chain.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EventTimeStageTest {
    private static final long IDLE_NS = 1_000_000;

    private final Frame frame = new Frame((operator, record) -> {
        throw new AssertionError("none is bad");
    });
    private final EventTimeStage stage = new EventTimeStage(
            new EventTimeStage.Parts("times", frame, value -> (Long) value, 10, 1, null, value -> {}));

    /** Its records wait in front of it: it has been given no chance to bring them. */
    @Test
    void shouldNotTakeASplitForIdle_thatWasNotReadForLackOfRoom() throws Exception {
        stage.splits(2);
        for (int split = 0; split < 2; split++) {
            stage.begin(split);
            stage.accept(1_011L + split);
            stage.end(false, 1);
        }
        stage.notRead(5 * IDLE_NS);
        stage.begin(1);
        stage.accept(9_011L);
        stage.end(false, 50 + 5 * IDLE_NS);

        assertThat(stage.watermark(50 + 5 * IDLE_NS)).isEqualTo(1_000);
        assertThat(stage.watermark(1 + 6 * IDLE_NS)).isEqualTo(9_000);
    }

    /** Or windows that have fired would fire again, of what comes for them from the split that was found. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotTurnBackTime_forASplitThatIsFoundWhenAllOthersHaveEndedOrAreIdle(boolean ended) throws Exception {
        stage.splits(1);
        stage.begin(0);
        stage.accept(1_011L);
        stage.end(ended, 1);
        frame.watermark = 1_000; // as the task lets time pass

        stage.add(1 + 2 * IDLE_NS);
        stage.begin(1);
        stage.accept(500L);

        assertThat(frame.stamp).isEqualTo(1_000);
    }

    /** Its records cannot be before what windows have seen: they are late for those that have fired. */
    @Test
    void shouldRaiseTheStampsOfASplit_thatWasIdleWhileTimeWentOn() throws Exception {
        stage.splits(2);
        read(0, 1_011L, 1);
        read(1, 1_012L, 1);
        read(1, 9_011L, 1 + 2 * IDLE_NS);
        assertThat(stage.watermark(1 + 2 * IDLE_NS)).isEqualTo(9_000);
        frame.watermark = 9_000; // as the task lets time pass

        read(0, 5_011L, 2 + 2 * IDLE_NS);
        assertThat(frame.stamp).isEqualTo(9_000);
        assertThat(stage.watermarkOf(0)).isEqualTo(5_000);
        assertThat(stage.stampOf(0)).as("what a checkpoint holds").isEqualTo(9_000);
        assertThat(stage.stampOf(1)).isEqualTo(9_000);
    }

    /** It begins where the one is that is behind. */
    @Test
    void shouldRaiseTheStampsOfASplit_thatIsFoundAfterAnotherWasIdle() throws Exception {
        stage.splits(2);
        read(0, 1_011L, 1);
        read(1, 1_012L, 1);
        read(1, 9_011L, 1 + 2 * IDLE_NS);
        assertThat(stage.watermark(1 + 2 * IDLE_NS)).isEqualTo(9_000);
        frame.watermark = 9_000; // as the task lets time pass
        read(0, 5_011L, 2 + 2 * IDLE_NS);

        stage.add(3 + 2 * IDLE_NS);
        read(2, 5_012L, 3 + 2 * IDLE_NS);
        assertThat(frame.stamp).isEqualTo(9_000);
    }

    /** As one of a file that is new where a job goes on. */
    @Test
    void shouldLeaveTheStampsOfASplit_thatIsBehindAndWasNotIdle() throws Exception {
        stage.splits(2);
        frame.watermark = 9_000;

        read(0, 5_011L, 1);
        read(0, 5_012L, 1);
        assertThat(frame.stamp).isEqualTo(5_000);
    }

    private void read(int split, long time, long nowNs) throws Exception {
        stage.begin(split);
        stage.accept(time);
        stage.end(false, nowNs);
    }
}
