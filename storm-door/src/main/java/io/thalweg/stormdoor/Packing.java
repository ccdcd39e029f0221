// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.utils.ListDelegate;

/** Serializes the values of tuples as Storm does between workers: by Kryo, with what the topology has registered. Thread-safe. */
final class Packing {
    private static final int FIRST_CAPACITY = 256;

    private final Host host;
    private final Kryo kryo;
    private final Output out = new Output(FIRST_CAPACITY, Integer.MAX_VALUE - Long.BYTES);
    private final ListDelegate list = new ListDelegate();

    Packing(Host host) {
        this.host = host;
        kryo = SerializationFactory.getKryo(host.layout.conf);
        kryo.setClassLoader(host.loader); // or that of Kryo, which may know nothing of the topology
    }

    /** @throws IllegalArgumentException if a value cannot be serialized; what is thrown names the component and the stream */
    synchronized SerializedTuple pack(DoorTuple tuple) {
        list.setDelegate(tuple.getValues());
        out.reset();
        try {
            kryo.writeObject(out, list);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "a value that '" + tuple.getSourceComponent() + "' emits to stream '" + tuple.getSourceStreamId()
                            + "' cannot be serialized, as it must be between processes: " + firstLine(e)
                            + "; register its class with topology.kryo.register",
                    e);
        }
        return new SerializedTuple(
                tuple.to.component(),
                tuple.to.executor(),
                tuple.to.number(),
                tuple.getSourceTask(),
                tuple.getSourceStreamId(),
                out.toBytes());
    }

    private static String firstLine(RuntimeException thrown) {
        return String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
    }

    synchronized DoorTuple unpack(SerializedTuple parcel) {
        List<Object> values =
                kryo.readObject(new Input(parcel.values()), ListDelegate.class).getDelegate();
        return new DoorTuple(
                host.layout.place(parcel.to(), parcel.task(), parcel.place()),
                host.context(),
                values,
                host.context().getComponentId(parcel.from()),
                parcel.from(),
                parcel.stream(),
                MessageId.makeUnanchored());
    }
}
