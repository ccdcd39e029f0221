// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class TopicsTest {
    /** Five records in two partitions: three in one, two in the other. */
    private final Topics.InOrder order = new Topics.InOrder(new Topics.Filled("numbers", 2, 8, 5));

    @Test
    void shouldKnowWhatComesNextOfEachPartition_againAndAgain() {
        for (int round = 0; round < 2; round++) {
            assertThat(order.isNext(0, 0)).isTrue();
            assertThat(order.isNext(1, 0)).isTrue();
            assertThat(order.isNext(1, 1)).isTrue();
            assertThat(order.isNext(0, 1)).isTrue();
            assertThat(order.isNext(0, 2)).isTrue();
        }
    }

    @Test
    void shouldFindWhatIsLeftOutOrComesTwice() {
        assertThat(order.isNext(0, 0)).isTrue();
        assertThat(order.isNext(0, 2)).as("the second one is left out").isFalse();
        assertThat(order.isNext(1, 0)).isTrue();
        assertThat(order.isNext(1, 0)).as("twice").isFalse();
        assertThat(order.isNext(1, 1)).isTrue();
    }

    @Test
    void shouldTakeNoMoreAndNoLessThanWasSent() {
        assertThatCode(() -> Producers.checkHeld(10, 10)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Producers.checkHeld(10, 9)).hasMessage("of 10 records sent only 9 are in the topic");
        assertThatThrownBy(() -> Producers.checkHeld(10, 11)).hasMessage("of 10 records sent 11 are in the topic");
    }
}
