// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.stats.InputStats;
import org.apache.flink.api.common.accumulators.Accumulator;

/** What the source of one task said last of its input, on its way to the client. Any thread may call. */
public final class LatestInput implements Accumulator<InputStats, InputStats> {
    private static final long serialVersionUID = 1L;

    private volatile InputStats latest = InputStats.NONE;

    @Override
    public void add(InputStats input) {
        latest = input;
    }

    @Override
    public InputStats getLocalValue() {
        return latest;
    }

    @Override
    public void resetLocal() {
        latest = InputStats.NONE;
    }

    @Override
    public void merge(Accumulator<InputStats, InputStats> other) {
        add(other.getLocalValue());
    }

    @Override
    public Accumulator<InputStats, InputStats> clone() {
        LatestInput copy = new LatestInput();
        copy.add(latest);
        return copy;
    }
}
