// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;

/** A tuple that knows when a bolt began with it, and that several threads may anchor others to. */
final class DoorTuple extends TupleImpl {
    private static final AtomicLongFieldUpdater<DoorTuple> CHILDREN =
            AtomicLongFieldUpdater.newUpdater(DoorTuple.class, "children");

    /** The XOR of the numbers of all that is anchored to it. */
    private volatile long children;

    /** When its {@code execute} began, 0 if nobody asks; written before a bolt sees it, whose threads get it from there. */
    long begunNs;

    /** Its times count. */
    boolean sampled;

    DoorTuple(
            GeneralTopologyContext context,
            List<Object> values,
            String component,
            int task,
            String stream,
            MessageId id) {
        super(context, values, component, task, stream, id);
    }

    @Override
    public void updateAckVal(long number) {
        CHILDREN.getAndUpdate(this, before -> before ^ number);
    }

    @Override
    public long getAckVal() {
        return children;
    }
}
