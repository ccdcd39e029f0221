// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HistoryWriterTest {
    private static final RunStore.Run KEPT = new RunStore.Run("run", 0, "{}", "{}");

    private final BlockingQueue<RunStore.Run> put = new LinkedBlockingQueue<>();
    private final List<String> said = new CopyOnWriteArrayList<>();

    private final class Queued implements RunStore {
        @Override
        public void put(Run run) {
            put.add(run);
        }

        @Override
        public List<String> newest(int most) {
            return List.of();
        }

        @Override
        public @Nullable String detail(String id) {
            return null;
        }
    }

    @Test
    void shouldGoOn_andSayOnceWhatGoesWrong_whereAStateCannotBeTold() throws Exception {
        Queue<Supplier<RunStore.Run>> states = new ArrayDeque<>(List.<Supplier<RunStore.Run>>of(
                () -> {
                    throw new IllegalStateException("it changes");
                },
                () -> {
                    throw new IllegalStateException("it changes");
                },
                () -> {
                    throw new StackOverflowError();
                }));
        try (HistoryWriter writer = new HistoryWriter(new Queued(), "this tuning", said::add)) {
            writer.writeEvery(1, () -> states.isEmpty() ? KEPT : states.remove().get());

            assertThat(put.poll(1, TimeUnit.MINUTES)).isEqualTo(KEPT);
        }
        assertThat(said)
                .containsExactly(
                        "this tuning is not kept: java.lang.IllegalStateException: it changes",
                        "this tuning is not kept: java.lang.StackOverflowError");
    }
}
