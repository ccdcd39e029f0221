// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * What a process of an operator has done since it was started, for a recording of the JDK's flight recorder that enables it, as the
 * doctor's does. All figures grow; the first one of a process is where to count from.
 */
@Name("thalweg.PythonWork")
@Label("Work of a Python process")
@Enabled(false)
@StackTrace(false)
final class WorkEvent extends Event {
    @Label("Operator")
    String operator = "";

    /** {@code rows}, {@code batches} or {@code arrow}. */
    @Label("What the function is called with")
    String takes = "";

    @Label("MessagePack of the process")
    String packing = "";

    @Label("Process")
    long pid;

    /** -1 if unknown. */
    @Label("CPU time of the process")
    long cpuNs;

    /** Of batches that are answered in columns it is not known. */
    @Label("Time in the function")
    long functionNs;

    /** Of batches that are answered in columns it is not known. */
    @Label("Time in which the process waited for rows")
    long waitedNs;

    /** In which rows are packed and written, and results are read and unpacked; -1 if unknown. */
    @Label("CPU time of the threads that talk to it")
    long threadsNs;

    @Label("Batches answered")
    long batches;

    @Label("Rows answered")
    long rows;

    static long cpuNs(Thread... threads) {
        ThreadMXBean all = ManagementFactory.getThreadMXBean();
        if (!all.isThreadCpuTimeSupported() || !all.isThreadCpuTimeEnabled()) {
            return -1;
        }
        long sum = 0;
        for (Thread thread : threads) {
            sum += Math.max(0, all.getThreadCpuTime(thread.getId()));
        }
        return sum;
    }
}
