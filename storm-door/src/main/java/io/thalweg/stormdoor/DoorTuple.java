// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.util.List;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;

/** A tuple that knows when a bolt began with it. */
final class DoorTuple extends TupleImpl {
    /** When its {@code execute} began; written before a bolt sees it, whose threads get it from there. */
    long begunNs;

    DoorTuple(
            GeneralTopologyContext context,
            List<Object> values,
            String component,
            int task,
            String stream,
            MessageId id) {
        super(context, values, component, task, stream, id);
    }
}
