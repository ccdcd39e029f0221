// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What Flink is asked for by whoever drains and cancels a job. */
final class StopRequestsTest {
    private final StopRequests stops = new StopRequests();
    private final List<CompletableFuture<String>> drains = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final CompletableFuture<String> saved = new CompletableFuture<>();
    private int stopped;

    private void drain() {
        stops.drain(
                () -> {
                    CompletableFuture<String> asked = new CompletableFuture<>();
                    drains.add(asked);
                    return asked;
                },
                problem -> told.add(problem.getMessage()));
    }

    private void cancel() {
        stops.cancel(() -> {
            stopped++;
            return saved;
        });
    }

    @Test
    void shouldDrainOnce() {
        drain();
        drain();
        drains.get(0).complete("savepoint");
        drain();

        assertThat(drains).hasSize(1);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldDrainAgain_ifItCouldNot() {
        drain();
        drains.get(0).completeExceptionally(new IllegalStateException("a task has not begun"));
        assertThat(told).containsExactly("a task has not begun");

        drain();
        assertThat(drains).hasSize(2);
    }

    @Test
    void shouldStopOnce_andNotDrainWhatStops() {
        cancel();
        cancel();
        drain();

        assertThat(stopped).isEqualTo(1);
        assertThat(drains).isEmpty();
        assertThat(stops.cancelled()).isTrue();
    }

    @Test
    void shouldNotStopAJobThatIsBeingDrained_unlessThatFails() {
        drain();
        cancel();
        assertThat(stopped).isZero();

        drains.get(0).completeExceptionally(new IllegalStateException("a task has not begun"));
        assertThat(stopped).isEqualTo(1);
        assertThat(told).as("it does not continue").isEmpty();
    }

    @Test
    void shouldEndADrainedJobByThat_thoughItWasCancelledMeanwhile() {
        drain();
        cancel();
        assertThat(stops.draining()).isTrue();
        drains.get(0).complete("savepoint");

        assertThat(stopped).isZero();
        assertThat(stops.draining()).isTrue();
    }

    @Test
    void shouldStopAtOnce_ifDrainingHadFailed() {
        drain();
        drains.get(0).completeExceptionally(new IllegalStateException("a task has not begun"));
        cancel();

        assertThat(stopped).isEqualTo(1);
        assertThat(stops.draining()).isFalse();
    }

    @Test
    void shouldKnowAJobThatEndedByItself_beforeFlinkWasAskedToStopIt() throws Exception {
        assertThat(stops.ended()).isFalse();
        drain();
        cancel();
        drains.get(0).completeExceptionally(new IllegalStateException("there is no such job"));
        saved.completeExceptionally(new IllegalStateException("there is no such job"));

        assertThat(stops.ended()).isFalse();
    }

    @Test
    void shouldKnowAJobThatEndedByASavepoint() throws Exception {
        drain();
        drains.get(0).complete("savepoint");
        assertThat(stops.ended()).isTrue();

        StopRequests others = new StopRequests();
        others.cancel(() -> CompletableFuture.completedFuture("savepoint"));
        assertThat(others.ended()).isTrue();
    }
}
