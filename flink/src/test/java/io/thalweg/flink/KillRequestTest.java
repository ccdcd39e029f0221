// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A job that is to be cancelled, of which nobody would hear otherwise that Flink has not done it. */
final class KillRequestTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("accepted");
    private static final CompletableFuture<String> REFUSED =
            CompletableFuture.failedFuture(new IllegalStateException("not now"));

    private final Deque<CompletableFuture<String>> answers = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final KillRequest kill = new KillRequest(answers::remove, told::add);

    @Test
    void shouldAskOnceWhereFlinkDoesIt() {
        kill.look(0);
        answers.add(DONE);
        kill.ask(0);
        kill.look(1_000_000); // its tasks take their time
        assertThat(answers).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void shouldAskAgainWhereFlinkRefuses_andTellOnceThatItDoes() {
        answers.addAll(List.of(REFUSED, REFUSED, REFUSED, DONE));
        kill.ask(0);
        kill.look(999);
        assertThat(answers).hasSize(3);
        kill.look(1_000);
        assertThat(answers).hasSize(2);
        assertThat(told).as("it may just have ended").isEmpty();
        for (long ms = 1_001; ms < 10_000; ms++) {
            kill.look(ms);
        }
        assertThat(answers).isEmpty();
        assertThat(told).containsExactly("java.lang.IllegalStateException: not now");
    }

    @Test
    void shouldAskAgainWhereNoAnswerComes() {
        answers.addAll(List.of(new CompletableFuture<>(), new CompletableFuture<>(), DONE));
        kill.ask(0);
        kill.look(29_999);
        assertThat(answers).hasSize(2);
        kill.look(30_000);
        kill.look(60_000);
        kill.look(90_000);
        assertThat(answers).isEmpty();
        assertThat(told).containsExactly("it has not answered within 30 s");
    }
}
