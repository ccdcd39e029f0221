// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.policy.WaitStrategyProgressive;

/**
 * How a bolt waits that has nothing to do: as Storm's own do, unless it has time. With batches on, Storm wakes every bolt each
 * millisecond to flush, and what waits progressively then never comes to sleep: it takes a sixth of a core.
 */
public final class IdleBolt extends WaitStrategyProgressive {
    /** Setting of a component: how long it sleeps. */
    static final String SLEEP_MS = "thalweg.idle.sleep.ms";

    private long sleepNs;

    @Override
    public void prepare(Map<String, Object> conf, WaitSituation situation) {
        super.prepare(conf, situation);
        sleepNs = conf.get(SLEEP_MS) instanceof Number ms ? TimeUnit.MILLISECONDS.toNanos(ms.longValue()) : 0;
    }

    @Override
    public int idle(int times) throws InterruptedException {
        if (sleepNs == 0) {
            return super.idle(times);
        }
        LockSupport.parkNanos(sleepNs);
        return times;
    }
}
