// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A spout whose tasks may be in any process: each executor is a split. It never ends. */
record PortableSpout(PortableTopology topology, String component, int executors) implements Source<SerializedTuple> {
    @Override
    public String name() {
        return "spout " + component;
    }

    @Override
    public Type<SerializedTuple> type() {
        return SerializedTuple.TYPE;
    }

    @Override
    public List<String> splits(int parallelism) {
        return IntStream.range(0, executors).mapToObj(Integer::toString).toList();
    }

    @Override
    public SplitReader<SerializedTuple> open(String split, SourceContext context) {
        Host host = topology.join();
        try {
            // It does not wait for the spout: the task may have other things to do.
            SpoutReader spout = new SpoutReader(host, component, Integer.parseInt(split), 0, context::wakeUp);
            Packing packing = new Packing(host);
            spout.open();
            return new Reader(topology, spout, packing);
        } catch (RuntimeException | Error e) {
            topology.leave();
            throw e;
        }
    }

    private record Reader(PortableTopology topology, SpoutReader spout, Packing packing)
            implements SplitReader<SerializedTuple> {
        @Override
        public @Nullable SerializedTuple poll() {
            DoorTuple next = spout.poll();
            return next == null ? null : packing.pack(next);
        }

        @Override
        public boolean finished() {
            return spout.finished();
        }

        @Override
        public long position() {
            return spout.position();
        }

        @Override
        public void close() {
            try {
                spout.deactivate();
            } finally {
                try {
                    spout.close();
                } finally {
                    topology.leave();
                }
            }
        }
    }
}
