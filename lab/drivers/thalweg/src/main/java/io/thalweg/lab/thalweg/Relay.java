// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.MapFunction;
import io.thalweg.api.operator.ToLong;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamSink;
import io.thalweg.api.topology.Topology;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Faults;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.PythonCommand;
import io.thalweg.lab.driver.RefusedException;
import io.thalweg.python.Python;
import io.thalweg.python.PythonOperator;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** sources → layers of relays → sinks. */
final class Relay {
    private Relay() {}

    static void define(Topology topology, Cell cell, boolean apart) throws IOException, RefusedException {
        boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
        if (cell.value("child").equals("arrow")) {
            int payload = Math.max(Long.BYTES, cell.payload());
            stages(
                    source(
                            topology,
                            cell,
                            Type.of(Columns.class),
                            () -> columns(payload),
                            value -> new Columns(Payload.number(value), value),
                            Columns::number),
                    Type.of(Columns.class),
                    columns -> columns,
                    cell,
                    apart,
                    (columns, meter) ->
                            new Message(columns.number(), columns.data(), Message.UNTIMED).count(payload, meter));
        } else if (cell.payload() > 0 || cell.hoard() > 0) {
            int payload = Math.max(Long.BYTES, cell.payload());
            MapFunction<Message, Message> relay = cell.stamps() ? Message::next : message -> message;
            stages(
                    source(
                            topology,
                            cell,
                            Type.of(Message.class),
                            () -> messages(payload, timed),
                            timed ? Relay::timed : Message::read,
                            Message::number),
                    Type.of(Message.class),
                    cell.hoard() > 0 ? new Hoarding(cell.hoard(), relay) : relay,
                    cell,
                    apart,
                    (message, meter) -> message.count(payload, meter));
        } else if (timed) {
            stages(
                    source(
                            topology,
                            cell,
                            Type.of(Numbered.class),
                            () -> Relay::numbered,
                            value -> new Numbered(Payload.number(value), System.nanoTime()),
                            Numbered::number),
                    Type.of(Numbered.class),
                    number -> number,
                    cell,
                    apart,
                    (number, meter) -> meter.received(number.number(), number.dueNs()));
        } else if (cell.reusesRecord()) {
            stages(
                    source(
                            topology,
                            cell,
                            Type.of(Reused.class),
                            Reused::maker,
                            value -> Reused.of(Payload.number(value)),
                            record -> record.number),
                    Type.of(Reused.class),
                    record -> record,
                    cell,
                    apart,
                    (record, meter) -> meter.received(record.number));
        } else {
            stages(
                    source(topology, cell, Type.of(Long.class), () -> Load::take, Payload::number, number -> number),
                    Type.of(Long.class),
                    number -> number,
                    cell,
                    apart,
                    (number, meter) -> meter.received(number));
        }
    }

    /** The records that the load makes up, or those of the topic that the lab filled. */
    private static <T> Stream<T> source(
            Topology topology,
            Cell cell,
            Type<T> type,
            LoadSource.Opening<T> makers,
            TopicRecords.Reader<T> reader,
            ToLong<T> number) {
        Stream<T> stream = cell.from().equals("kafka")
                ? topology.from(new TopicRecords<>(cell, type, reader, number))
                : topology.from(new LoadSource<>(cell, type, makers));
        return stream.parallelism(cell.sources());
    }

    /** Adds the layers; where parallelism changes, records go round. */
    private static <T> void stages(
            Stream<T> source,
            Type<T> type,
            MapFunction<T, T> relay,
            Cell cell,
            boolean apart,
            Counted.Counter<T> counter)
            throws IOException, RefusedException {
        PythonOperator python = cell.processer().equals("python") ? python(cell) : null;
        boolean faulty = cell.stallMs() > 0 || cell.slowdownPercent() > 0;
        Stream<T> stream = source;
        int before = cell.sources();
        for (int layer = 1; layer <= cell.layers(); layer++) {
            Stream<T> distributed = before == cell.relays() ? stream : stream.shuffle();
            stream = (python == null
                            ? distributed
                                    .map(faulty ? new Faulty<>(cell, relay) : relay)
                                    .as(type)
                            : python.map(distributed, type))
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
        byte[] template = Payload.template(payload);
        return load -> {
            long[] times = timed ? new long[] {load.dueNs()} : Message.UNTIMED;
            return Message.of(load.take(), template, times);
        };
    }

    private static LoadSource.Maker<Columns> columns(int payload) {
        byte[] template = Payload.template(payload);
        return load -> {
            long number = load.take();
            return new Columns(number, Payload.of(number, template));
        };
    }

    /** Hands every record on, by Thalweg's operators in Python. */
    private static PythonOperator python(Cell cell) throws IOException, RefusedException {
        String python = PythonCommand.of(cell);
        Path script = cell.folder().path().resolve("relay.py");
        PythonCommand.copy(Relay.class, "relay.py", script);
        String function = cell.value("child").equals("arrow")
                ? "relay_columns"
                : cell.stamps() && cell.payload() > 0 ? "stamp" : "relay";
        return Python.operator(script, function).interpreter(python);
    }

    private static Message timed(byte[] value) {
        return new Message(Payload.number(value), value, new long[] {System.nanoTime()});
    }

    private static Numbered numbered(Load load) {
        long dueNs = load.dueNs();
        return new Numbered(load.take(), dueNs);
    }

    /** A number that is due at some time. */
    record Numbered(long number, long dueNs) {}

    /** A message without times, whose components are columns of a record batch. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Columns(long number, byte[] data) {}

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
