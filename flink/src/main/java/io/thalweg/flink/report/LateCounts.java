// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.report;

import io.thalweg.api.stats.LateRecords;
import io.thalweg.run.LateLog;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.jspecify.annotations.Nullable;

/** How late the late records of one task of an operator were, on their way to the client. The task's thread counts, any may read. */
public final class LateCounts implements Accumulator<LateRecords, LateCounts.Seen> {
    private static final long serialVersionUID = 1L;

    /** What there was so far. */
    public record Seen(ArrayList<LateRecords> records) implements java.io.Serializable {}

    /** Null where it has been sent to. */
    private final transient @Nullable LateLog log;

    private ArrayList<LateRecords> records = new ArrayList<>();

    LateCounts(@Nullable LateLog log) {
        this.log = log;
    }

    @Override
    public synchronized void add(LateRecords more) {
        records.add(more);
    }

    @Override
    public synchronized Seen getLocalValue() {
        ArrayList<LateRecords> all = new ArrayList<>(records);
        if (log != null) {
            all.addAll(log.told());
        }
        return new Seen(new ArrayList<>(LateRecords.byOperator(all)));
    }

    @Override
    public synchronized void resetLocal() {
        records = new ArrayList<>();
    }

    @Override
    public void merge(Accumulator<LateRecords, Seen> other) {
        other.getLocalValue().records().forEach(this::add);
    }

    @Override
    public Accumulator<LateRecords, Seen> clone() {
        LateCounts copy = new LateCounts(null);
        copy.records = getLocalValue().records();
        return copy;
    }

    /** As of now. */
    private void writeObject(ObjectOutputStream out) throws IOException {
        synchronized (this) {
            ArrayList<LateRecords> own = records;
            records = getLocalValue().records();
            try {
                out.defaultWriteObject();
            } finally {
                records = own;
            }
        }
    }
}
