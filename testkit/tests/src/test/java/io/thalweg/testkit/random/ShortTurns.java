// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.random;

import io.thalweg.engine.work.TurnLimit;
import io.thalweg.run.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** The system's clock, but that whoever asks it between two records whether the turn has lasted too long finds that it has. */
final class ShortTurns implements Clock {
    private static final long TOO_LONG_NS = 10_000_000;

    private final StackWalker stack = StackWalker.getInstance();
    private final AtomicLong looks = new AtomicLong();

    @Override
    public long nowNs() {
        long nowNs = Clock.system().nowNs();
        boolean betweenRecords = stack.walk(frames -> frames.skip(1)
                .findFirst()
                .filter(caller -> caller.getClassName().equals(TurnLimit.class.getName()))
                .isPresent());
        return betweenRecords ? nowNs + TOO_LONG_NS * looks.incrementAndGet() : nowNs;
    }
}
