// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Addressed;
import io.thalweg.api.operator.SideOutput;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * A tuple that knows which task it goes to and when a bolt began with it, and that several threads may anchor others to. It is what
 * the engine hands over, with no object around it: each one costs a cache line that the next thread has to fetch.
 */
final class DoorTuple extends TupleImpl implements Addressed {
    static final Type<DoorTuple> TYPE = Type.custom(DoorTuple.class, new NeverEncoded());

    private static final AtomicLongFieldUpdater<DoorTuple> CHILDREN =
            AtomicLongFieldUpdater.newUpdater(DoorTuple.class, "children");

    /** The XOR of the numbers of all that is anchored to it. */
    private volatile long children;

    /** The task that it goes to. */
    final Layout.Place to;

    /** When its {@code execute} began, 0 if nobody asks; written before a bolt sees it, whose threads get it from there. */
    long begunNs;

    /** Its times count. */
    boolean sampled;

    DoorTuple(
            Layout.Place to,
            GeneralTopologyContext context,
            List<Object> values,
            String component,
            int task,
            String stream,
            MessageId id) {
        super(context, values, component, task, stream, id);
        this.to = to;
    }

    /** As Storm has it, for a bolt with state, which may keep it there: no other class of tuples has a serializer. */
    TupleImpl plain() {
        TupleImpl plain = new TupleImpl(this);
        if (begunNs != 0) {
            plain.setExecuteSampleStartTime(begunNs);
        }
        if (sampled) {
            plain.setProcessSampleStartTime(begunNs);
        }
        return plain;
    }

    /** When the {@code execute} began of a tuple that a bolt was given; 0 if nobody asks. */
    static long begunNs(Tuple tuple) {
        if (tuple instanceof DoorTuple ours) {
            return ours.begunNs;
        }
        Long begunNs = tuple instanceof TupleImpl plain ? plain.getExecuteSampleStartTime() : null;
        return begunNs == null ? 0 : begunNs;
    }

    /** Whether the times of a tuple count that a bolt was given. */
    static boolean sampled(Tuple tuple) {
        return tuple instanceof DoorTuple ours
                ? ours.sampled
                : tuple instanceof TupleImpl plain && plain.getProcessSampleStartTime() != null;
    }

    /** Number of the executor within the component, as the engine counts its tasks. */
    @Override
    public int task() {
        return to.executor();
    }

    /** What leads to a component. */
    static SideOutput<DoorTuple> towards(String component) {
        return new SideOutput<>(component, TYPE);
    }

    @Override
    public void updateAckVal(long number) {
        CHILDREN.getAndUpdate(this, before -> before ^ number);
    }

    @Override
    public long getAckVal() {
        return children;
    }

    /** Tuples stay in this JVM and are handed over as they are, as within a worker of Storm's. */
    record NeverEncoded() implements Codec<DoorTuple>, Serializable {
        @Override
        public void encode(DoorTuple value, ByteWriter out) {
            throw new UnsupportedOperationException("Storm's tuples stay in one process");
        }

        @Override
        public DoorTuple decode(ByteReader in) {
            throw new UnsupportedOperationException("Storm's tuples stay in one process");
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }
}
