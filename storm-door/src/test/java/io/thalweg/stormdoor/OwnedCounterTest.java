// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OwnedCounterTest {
    private static final int TIMES = 100_000;

    @Test
    void shouldCountWhatItsOwnerAndOthersAddAtOnce() throws InterruptedException {
        OwnedCounter tally = new OwnedCounter();
        tally.begin();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(new Thread(() -> addTo(tally)));
        }
        others.forEach(Thread::start);
        addTo(tally);
        for (Thread other : others) {
            other.join();
        }
        assertThat(tally.sum()).isEqualTo(4L * TIMES);
    }

    @Test
    void shouldCountForAThreadThatTakesOver() throws InterruptedException {
        OwnedCounter tally = new OwnedCounter();
        tally.begin();
        tally.add(2);
        Thread next = new Thread(() -> {
            tally.begin();
            tally.add(3);
        });
        next.start();
        next.join();
        tally.add(4);
        assertThat(tally.sum()).isEqualTo(9);
    }

    private static void addTo(OwnedCounter tally) {
        for (int i = 0; i < TIMES; i++) {
            tally.increment();
        }
    }
}
