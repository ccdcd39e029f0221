// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.queue.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InputGateTest {
    private static final long PASSED = 7;

    @Test
    void shouldHoldAnInput_untilTheBarrierOfAllHasCome() {
        InputGate gate = new InputGate(3);

        assertThat(gate.onBarrier(1, 5, 100)).isZero();
        assertThat(gate.onBarrier(0, 5, 130)).isZero();
        assertThat(List.of(gate.holds(0), gate.holds(1), gate.holds(2))).containsExactly(true, true, false);
        assertThat(gate.onBarrier(2, 5, 170)).isEqualTo(5);
        assertThat(List.of(gate.holds(0), gate.holds(1), gate.holds(2))).containsOnly(false);
        assertThat(gate.heldSinceNs()).isEqualTo(100);
    }

    @Test
    void shouldNotWaitForTheBarrierOfAnInputThatEnds() {
        InputGate gate = new InputGate(2);
        gate.onBarrier(0, 5, 100);

        assertThat(gate.onEnd(1, false)).isEqualTo(5);
        assertThat(gate.onBarrier(0, 6, 200)).isEqualTo(6);
        assertThat(gate.heldSinceNs()).isEqualTo(200);
    }

    /** A barrier that is late by a whole checkpoint must not be taken for one of the next. */
    @Test
    void shouldIgnoreABarrier_ifAnotherInputIsAtALaterOne() {
        InputGate gate = new InputGate(2);
        gate.onBarrier(0, 6, 100);

        assertThat(gate.onBarrier(1, 5, 110)).isZero();
        assertThat(gate.holds(1)).isFalse();
        assertThat(gate.onBarrier(1, 6, 120)).isEqualTo(6);
    }

    @Test
    void shouldLetAnInputGo_whoseCheckpointIsGivenUp() {
        InputGate gate = new InputGate(2);
        gate.onBarrier(0, 5, 100);

        gate.abandon(5);

        assertThat(gate.holds(0)).isFalse();
        assertThat(gate.onBarrier(1, 5, 120)).isZero();
        assertThat(gate.holds(1)).isFalse();
        assertThat(gate.onBarrier(1, 6, 130)).isZero();
        assertThat(gate.onBarrier(0, 6, 140)).isEqualTo(6);
        assertThat(gate.heldSinceNs()).isEqualTo(130);
    }

    @Test
    void shouldBeIdle_onlyIfEveryOpenInputIs() {
        InputGate gate = new InputGate(3);
        gate.onWatermark(0, 10);
        gate.onWatermark(1, Batch.IDLE);
        gate.onWatermark(2, 30);
        assertThat(gate.watermark(PASSED)).isEqualTo(10);

        gate.onWatermark(0, Batch.IDLE);
        assertThat(gate.watermark(PASSED)).isEqualTo(30);
        gate.onEnd(2, false);
        assertThat(gate.watermark(PASSED)).isEqualTo(Batch.IDLE);
        gate.onRecords(1);
        assertThat(gate.watermark(PASSED)).isEqualTo(Batch.NO_WATERMARK);
        gate.onEnd(1, false);
        gate.onEnd(0, false);
        assertThat(gate.watermark(PASSED)).isEqualTo(Long.MAX_VALUE);
        assertThat(gate.over()).isTrue();
    }

    @Test
    void shouldLetTimeGoNoFurther_ifAnInputWasCancelled() {
        InputGate gate = new InputGate(2);
        gate.onWatermark(0, 10);
        gate.onWatermark(1, 20);

        gate.onEnd(0, true);

        assertThat(gate.cancelled()).isTrue();
        assertThat(gate.watermark(PASSED)).isEqualTo(PASSED);
    }

    /** What each input has brought, kept as it came, and asked anew each time. */
    private static final class Model {
        private static final class Input {
            final List<Long> watermarks = new ArrayList<>();
            final List<Long> barriers = new ArrayList<>();
            boolean silent;
            boolean ended;
        }

        final List<Input> inputs = new ArrayList<>();
        final List<Long> done = new ArrayList<>();
        long abandoned;

        Model(int count) {
            for (int i = 0; i < count; i++) {
                inputs.add(new Input());
            }
        }

        /** The newest checkpoint that any input has brought a barrier of. */
        long newest() {
            return inputs.stream()
                    .flatMap(each -> each.barriers.stream())
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
        }

        boolean stands(Input input) {
            long newest = newest();
            return newest > abandoned && !done.contains(newest) && input.barriers.contains(newest);
        }

        /** The checkpoint that waits for nobody, which is done from then on; 0 if there is none. */
        long align() {
            long newest = newest();
            boolean any = newest > abandoned && !done.contains(newest);
            if (!any || !inputs.stream().allMatch(each -> each.ended || stands(each))) {
                return 0;
            }
            done.add(newest);
            return newest;
        }

        long watermark() {
            List<Input> open = inputs.stream().filter(each -> !each.ended).toList();
            if (open.isEmpty()) {
                return Long.MAX_VALUE;
            }
            return open.stream()
                    .filter(each -> !each.silent)
                    .mapToLong(each -> each.watermarks.isEmpty()
                            ? Batch.NO_WATERMARK
                            : each.watermarks.get(each.watermarks.size() - 1))
                    .min()
                    .orElse(Batch.IDLE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldComeToWhatAModelComesTo(int count) {
        long first = Long.getLong("thalweg.seed", new Random().nextLong());
        for (int round = 0; round < 300; round++) {
            long seed = first + round;
            try {
                compare(count, seed);
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ", " + count + " inputs: " + e.getMessage(), e);
            }
        }
    }

    private static void compare(int count, long seed) {
        Random random = new Random(seed);
        InputGate gate = new InputGate(count);
        Model model = new Model(count);
        long[] lastBarrier = new long[count];
        long asked = 1;
        for (int step = 0; step < 200; step++) {
            int number = random.nextInt(count);
            Model.Input input = model.inputs.get(number);
            if (input.ended) {
                continue;
            }
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> {
                    gate.onRecords(number);
                    input.silent = false;
                }
                case 3, 4, 5 -> {
                    long watermark = step;
                    gate.onWatermark(number, watermark);
                    input.watermarks.add(watermark);
                    input.silent = false;
                }
                case 6 -> {
                    gate.onWatermark(number, Batch.IDLE);
                    input.silent = true;
                }
                case 7, 8, 9 -> {
                    if (lastBarrier[number] < asked && !gate.holds(number)) { // what is held brings nothing
                        long checkpoint = Math.max(lastBarrier[number] + 1, asked - random.nextInt(2));
                        lastBarrier[number] = checkpoint;
                        input.barriers.add(checkpoint);
                        assertThat(gate.onBarrier(number, checkpoint, step)).isEqualTo(model.align());
                    }
                }
                case 10 -> {
                    if (random.nextInt(4) == 0) {
                        input.ended = true;
                        assertThat(gate.onEnd(number, false)).isEqualTo(model.align());
                    }
                }
                default -> {
                    if (!model.done.contains(asked)) {
                        gate.abandon(asked);
                        model.abandoned = asked;
                    }
                    asked++;
                }
            }
            for (int i = 0; i < count; i++) {
                assertThat(gate.holds(i)).as("input %d holds", i).isEqualTo(model.stands(model.inputs.get(i)));
            }
            assertThat(gate.watermark(PASSED)).isEqualTo(model.watermark());
            assertThat(gate.over()).isEqualTo(model.inputs.stream().allMatch(each -> each.ended));
        }
    }

    @Test
    void shouldSayThatTimeWentOnWithoutAnInput_ifItWasIdle() {
        InputGate gate = new InputGate(1);
        gate.onWatermark(0, 10);
        assertThat(gate.behind(0, 20)).as("it has never been idle").isFalse();

        gate.onWatermark(0, Batch.IDLE);
        gate.onRecords(0);
        assertThat(gate.behind(0, 20)).isTrue();
        assertThat(gate.behind(0, 10)).isFalse();

        gate.onWatermark(0, 20);
        assertThat(gate.behind(0, 20)).isFalse();
    }
}
