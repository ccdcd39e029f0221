// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.thalweg.engine.checkpoint.Checkpoints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The thread that writes checkpoints. */
final class CheckpointingTest {
    /** As an executor does that has no memory to wait for its next task. */
    @Test
    void shouldFailTheJob_whereTheThreadDiesBetweenTwoCheckpoints() throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        OutOfMemoryError error = new OutOfMemoryError("not really");
        Checkpoints.Listener listener = new Checkpoints.Listener() {
            @Override
            public void wake() {}

            @Override
            public void onFailure(Throwable failure) {
                failures.add(failure);
            }
        };

        Thread thread = Checkpointing.writing("test", listener).newThread(() -> {
            throw error;
        });
        thread.start();
        thread.join();

        assertThat(failures).containsExactly(error);
    }
}
