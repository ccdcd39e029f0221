// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.WaitStrategyProgressive;

/**
 * How a bolt waits that has nothing to do: as Storm's own do, unless it has time. With batches on, Storm wakes every bolt each
 * millisecond to flush, and what waits progressively then never comes to sleep: it takes a sixth of a core.
 */
public final class IdleBolt extends WaitStrategyProgressive {
    /** What there is to do for a bolt that has no tuple. */
    @FunctionalInterface
    interface Chore {
        /** True if something may wake the thread. */
        boolean look();
    }

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Of the bolts that an executor's thread runs. */
    private static final ThreadLocal<List<Chore>> CHORES = ThreadLocal.withInitial(ArrayList::new);

    /** Setting of a component: how long it sleeps. */
    static final String SLEEP_MS = "thalweg.idle.sleep.ms";

    private long sleepNs;

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        super.prepare(conf, situation);
        sleepNs = conf.get(SLEEP_MS) instanceof Number ms ? TimeUnit.MILLISECONDS.toNanos(ms.longValue()) : 0;
    }

    /** Has the calling thread, which is to be the one that executes the bolt, look after it whenever that is idle. */
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
            LockSupport.parkNanos(LOOK_NS); // who has an answer wakes the thread
            return times;
        }
        if (sleepNs == 0) {
            return super.idle(times);
        }
        LockSupport.parkNanos(sleepNs);
        return times;
    }
}
