// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.WaitStrategyProgressive;

/**
 * The wait strategy of idle bolts: Storm's own, unless {@link #SLEEP_MS} is set for the component. With batches on,
 * Storm wakes every bolt each millisecond to flush, so the progressive strategy never gets to sleep and takes a sixth
 * of a core.
 */
public final class IdleBolt extends WaitStrategyProgressive {
    /** Work of a bolt while it has no tuples. */
    @FunctionalInterface
    interface Chore {
        /** Does the work; true if another thread may wake this one. */
        boolean look();
    }

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The chores of the bolts that run on this executor thread. */
    private static final ThreadLocal<List<Chore>> CHORES = ThreadLocal.withInitial(ArrayList::new);

    /** Setting of a component: how long it sleeps when idle, in milliseconds. */
    static final String SLEEP_MS = "thalweg.idle.sleep.ms";

    private long sleepNs;

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        super.prepare(conf, situation);
        sleepNs = conf.get(SLEEP_MS) instanceof Number ms ? TimeUnit.MILLISECONDS.toNanos(ms.longValue()) : 0;
    }

    /** Registers work to do whenever the bolt is idle. Must be called on the executor thread of the bolt. */
    static void whenIdle(Chore chore) {
        CHORES.get().add(chore);
    }

    @Override
    public int idle(int times) throws InterruptedException {
        boolean woken = false;
        for (Chore chore : CHORES.get()) {
            woken |= chore.look();
        }
        if (woken) {
            LockSupport.parkNanos(LOOK_NS); // an answer wakes the thread
            return times;
        }
        if (sleepNs == 0) {
            return super.idle(times);
        }
        LockSupport.parkNanos(sleepNs);
        return times;
    }
}
