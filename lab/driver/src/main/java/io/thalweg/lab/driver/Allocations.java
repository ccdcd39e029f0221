// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes the threads of this JVM have allocated on its heap, but for the one that looks: JVMs count that for each thread as
 * it goes, so it costs the threads nothing. What a thread allocates between the last look and its end is missed.
 */
final class Allocations {
    /** Where the JVM does not count. */
    static final long UNKNOWN = -1;

    private final com.sun.management.@Nullable ThreadMXBean threads = counting();
    private final Map<Long, Long> last = new HashMap<>();
    private long bytes;
    private boolean begun;

    private static com.sun.management.@Nullable ThreadMXBean counting() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean bean
                        && bean.isThreadAllocatedMemorySupported()
                        && bean.isThreadAllocatedMemoryEnabled()
                ? bean
                : null;
    }

    /** Since the first look, or {@link #UNKNOWN}. */
    long bytes() {
        com.sun.management.ThreadMXBean bean = threads;
        if (bean == null) {
            return UNKNOWN;
        }
        long[] ids = bean.getAllThreadIds();
        long[] allocated = bean.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (allocated[i] >= 0 && ids[i] != Thread.currentThread().getId()) { // below 0: it has just ended
                now.put(ids[i], allocated[i]);
                bytes += begun ? allocated[i] - last.getOrDefault(ids[i], 0L) : 0;
            }
        }
        last.clear();
        last.putAll(now);
        begun = true;
        return bytes;
    }
}
