// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.connector.SplitAlignment;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;

/** Reports watermark alignment in one task. For the task's thread. */
public final class AlignmentCounts {
    /** Begin the names of the accumulators; the operator's name and the task follow. */
    public static final String HELD_SPLITS = "thalweg.heldSplits/";

    public static final String HELD_NS = "thalweg.heldNs/";
    public static final String AHEAD_MS = "thalweg.aheadMs/";

    private final LongCounter heldSplits = new LongCounter();
    private final LongCounter heldNs = new LongCounter();
    private final LongCounter aheadMs = new LongCounter();

    public AlignmentCounts(String operator, RuntimeContext context) {
        String name = Reports.nameOf(operator, context.getTaskInfo().getIndexOfThisSubtask());
        context.addAccumulator(HELD_SPLITS + name, heldSplits);
        context.addAccumulator(HELD_NS + name, heldNs);
        context.addAccumulator(AHEAD_MS + name, aheadMs);
    }

    public void set(SplitAlignment now) {
        set(heldSplits, now.heldSplits());
        set(heldNs, now.heldNs());
        set(aheadMs, now.aheadMs());
    }

    private static void set(LongCounter counter, long value) {
        counter.add(value - counter.getLocalValuePrimitive());
    }
}
