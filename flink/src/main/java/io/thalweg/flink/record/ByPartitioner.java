// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.graph.Grouping;
import org.apache.flink.api.common.functions.Partitioner;

/** Calls a user's partitioner for Flink. An operator before has checked that it does not throw. */
public final class ByPartitioner implements Partitioner<Object> {
    private static final long serialVersionUID = 1L;

    private final Grouping.Custom grouping;
    private final boolean stamped;

    /** @param stamped true if the stream has event time */
    public ByPartitioner(Grouping.Custom grouping, boolean stamped) {
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
