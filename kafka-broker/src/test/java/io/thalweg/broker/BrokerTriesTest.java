// SPDX-License-Identifier: Apache-2.0
package io.thalweg.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which refusals of brokers are for a moment only. */
final class BrokerTriesTest {
    /** Whatever its message is. */
    private final Exception refused = new InvalidReplicationFactorException("other words");

    private int sent;

    /** @param refusals of a change, in their order; then it is made */
    private BrokerTries.Request change(Exception... refusals) {
        Deque<Exception> left = new ArrayDeque<>(List.of(refusals));
        return () -> {
            sent++;
            return answer(left.poll());
        };
    }

    private static boolean answer(@Nullable Exception refusal) throws ExecutionException {
        if (refusal != null) {
            throw new ExecutionException(refusal);
        }
        return true;
    }

    @Test
    void shouldAskAgain_whileNoBrokerIsAlive() throws Exception {
        Deque<Boolean> alive = new ArrayDeque<>(List.of(false, false, true));
        BrokerTries.change(change(refused, refused, refused), alive::remove);
        assertThat(sent).as("once more after one was alive").isEqualTo(4);
    }

    @Test
    void shouldNotAskForEver_ifBrokersAreAliveAndTooFew() {
        assertThatThrownBy(() -> BrokerTries.change(change(refused, refused, refused), () -> true))
                .hasCause(refused);
        assertThat(sent).isEqualTo(2);
    }

    @Test
    void shouldAskAgain_ifNobodySaysWhetherOneIsAlive() throws Exception {
        Deque<Exception> answers = new ArrayDeque<>(List.of(new TimeoutException("busy")));
        BrokerTries.change(change(refused, refused), () -> answer(answers.poll()));
        assertThat(sent).isEqualTo(3);
    }

    @Test
    void shouldThrowAnyOtherRefusal() {
        Exception exists = new TopicExistsException("there");
        assertThatThrownBy(() -> BrokerTries.change(change(exists), () -> false))
                .hasCause(exists);
        assertThat(sent).isEqualTo(1);
    }
}
