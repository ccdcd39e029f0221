// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamSink;
import io.thalweg.api.topology.Topology;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Faults;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import org.jspecify.annotations.Nullable;

/** sources → layers of relays → sinks. */
final class Relay {
    private Relay() {}

    static void define(Topology topology, Cell cell, boolean apart) {
        boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
        if (cell.payload() > 0 || cell.hoard() > 0) {
            int payload = Math.max(Long.BYTES, cell.payload());
            MapFunction<Message, Message> relay = cell.stamps() ? Message::next : message -> message;
            stages(
                    new LoadSource<>(cell, Type.of(Message.class), () -> messages(payload, timed)),
                    cell.hoard() > 0 ? new Hoarding(cell.hoard(), relay) : relay,
                    topology,
                    cell,
                    apart,
                    (message, meter) -> message.count(payload, meter));
        } else if (timed) {
            stages(
                    new LoadSource<>(cell, Type.of(Numbered.class), () -> Relay::numbered),
                    number -> number,
                    topology,
                    cell,
                    apart,
                    (number, meter) -> meter.received(number.number(), number.dueNs()));
        } else {
            stages(
                    new LoadSource<>(cell, Type.of(Long.class), () -> Load::take),
                    number -> number,
                    topology,
                    cell,
                    apart,
                    (number, meter) -> meter.received(number));
        }
    }

    /** Adds the layers; where parallelism changes, records go round. */
    private static <T> void stages(
            LoadSource<T> source,
            MapFunction<T, T> relay,
            Topology topology,
            Cell cell,
            boolean apart,
            Counted.Counter<T> counter) {
        boolean faulty = cell.stallMs() > 0 || cell.slowdownPercent() > 0;
        Stream<T> stream = topology.from(source).parallelism(cell.sources());
        int before = cell.sources();
        for (int layer = 1; layer <= cell.layers(); layer++) {
            stream = (before == cell.relays() ? stream : stream.shuffle())
                    .map(faulty ? new Faulty<>(cell, relay) : relay)
                    .as(source.type())
                    .name("relay " + layer)
                    .parallelism(cell.relays());
            if (apart) {
                stream.isolate();
            }
            before = cell.relays();
        }
        StreamSink sink = (before == cell.sinks() ? stream : stream.shuffle())
                .to(new Counted<>(cell, counter))
                .parallelism(cell.sinks());
        if (apart) {
            sink.isolate();
        }
    }

    private static LoadSource.Maker<Message> messages(int payload, boolean timed) {
        byte[] template = new byte[payload];
        return load -> {
            long[] times = timed ? new long[] {load.dueNs()} : Message.UNTIMED;
            return Message.of(load.take(), template, times);
        };
    }

    private static Numbered numbered(Load load) {
        long dueNs = load.dueNs();
        return new Numbered(load.take(), dueNs);
    }

    /** A number that is due at some time. */
    record Numbered(long number, long dueNs) {}

    /** A relay that keeps memory alive besides. */
    private static final class Hoarding implements MapFunction<Message, Message> {
        private static final long serialVersionUID = 1L;

        private final long bytes;
        private final MapFunction<Message, Message> relay;
        private transient @Nullable Hoard hoard;

        Hoarding(long bytes, MapFunction<Message, Message> relay) {
            this.bytes = bytes;
            this.relay = relay;
        }

        @Override
        public Message apply(Message message) throws Exception {
            Hoard kept = hoard;
            if (kept == null) {
                kept = new Hoard(bytes);
                hoard = kept;
            }
            kept.replace();
            return relay.apply(message);
        }
    }

    /** A relay that is slow on purpose. */
    private static final class Faulty<T> implements MapFunction<T, T> {
        private static final long serialVersionUID = 1L;

        private final Cell cell;
        private final MapFunction<T, T> relay;
        private transient @Nullable Faults faults;

        Faulty(Cell cell, MapFunction<T, T> relay) {
            this.cell = cell;
            this.relay = relay;
        }

        @Override
        public T apply(T value) throws Exception {
            Faults planted = faults;
            if (planted == null) {
                planted = new Faults(cell);
                faults = planted;
            }
            planted.afterRecord();
            return relay.apply(value);
        }
    }
}
