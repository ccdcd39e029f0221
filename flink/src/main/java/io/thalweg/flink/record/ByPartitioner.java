// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.graph.Grouping;
import org.apache.flink.api.common.functions.Partitioner;

/** Calls a user's partitioner, or asks the record itself, for Flink. An operator before has checked that neither throws. */
public final class ByPartitioner implements Partitioner<Object> {
    private static final long serialVersionUID = 1L;

    private final Grouping.Chosen grouping;
    private final boolean stamped;

    /** @param stamped true if the stream has event time */
    public ByPartitioner(Grouping.Chosen grouping, boolean stamped) {
        this.grouping = grouping;
        this.stamped = stamped;
    }

    @Override
    public int partition(Object element, int tasks) {
        try {
            return grouping.task(stamped ? ((Stamped) element).value() : element, tasks);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a partitioner must give the same answer whenever it is asked", e);
        }
    }
}
