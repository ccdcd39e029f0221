// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.SinkMeter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.types.LongValue;
import org.jspecify.annotations.Nullable;

/**
 * The records of {@link Cell.Workload#RELAY}: what they are, what a relay does with one, what the sink does with one.
 *
 * @param type how Flink serializes them
 * @param reader what makes one of a message of Kafka
 * @param relay each task gets a copy of its own
 */
record RelayJob<T>(
        TypeInformation<T> type,
        LoadSource.Maker<T> maker,
        MapFunction<byte[], T> reader,
        MapFunction<T, Long> number,
        MapFunction<T, T> relay,
        MeterSink.Taker<T> taker) {

    static RelayJob<?> of(Cell cell) {
        boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
        if (cell.payload() > 0) {
            return messages(cell, timed);
        }
        if (timed) {
            return new RelayJob<>(
                    Types.POJO(Timed.class),
                    load -> {
                        long dueNs = load.dueNs();
                        return new Timed(load.take(), dueNs);
                    },
                    value -> new Timed(Payload.number(value), System.nanoTime()),
                    record -> record.number,
                    hoarding(cell, record -> record),
                    (record, meter) -> meter.received(record.number, record.dueNs));
        }
        if (cell.reusesRecord()) {
            return new RelayJob<>(
                    Types.VALUE(LongValue.class),
                    new ReusedNumber(),
                    value -> new LongValue(Payload.number(value)),
                    LongValue::getValue,
                    hoarding(cell, record -> record),
                    (record, meter) -> meter.received(record.getValue()));
        }
        return new RelayJob<>(
                Types.LONG,
                load -> load.take(),
                Payload::number,
                record -> record,
                hoarding(cell, record -> record),
                (record, meter) -> meter.received(record));
    }

    void describe(StreamExecutionEnvironment environment, Layout layout) {
        Cell cell = layout.cell();
        environment.getConfig().setAutoWatermarkInterval(0);
        DataStream<T> records = cell.from().equals("kafka")
                ? KafkaRecords.of(environment, layout, type, reader, number)
                : layout.load(environment, type, maker, WatermarkStrategy.noWatermarks());
        for (int layer = 1; layer <= cell.layers(); layer++) {
            records = layout.stage(
                    layout.distributed(records).map(relay).returns(type).name("relay " + layer), cell.relays());
        }
        layout.sink(layout.distributed(records), taker);
    }

    private static RelayJob<Message> messages(Cell cell, boolean timed) {
        byte[] template = Payload.template(cell.payload());
        return new RelayJob<>(
                TypeInformation.of(Message.class),
                timed
                        ? load -> {
                            long dueNs = load.dueNs();
                            return Message.of(load.take(), template, dueNs);
                        }
                        : load -> Message.of(load.take(), template),
                timed ? value -> Message.read(value, System.nanoTime()) : Message::read,
                Message::number,
                hoarding(cell, cell.stamps() ? Message::stamped : message -> message),
                (message, meter) -> take(message, template.length, meter));
    }

    private static void take(Message message, int length, SinkMeter meter) {
        if (!message.isWhole(length)) {
            meter.damaged();
        }
        meter.data(message.f1);
        if (message.times().length > 0) {
            meter.received(message.number(), message.times()[0]);
        } else {
            meter.received(message.number());
        }
    }

    private static <T> MapFunction<T, T> hoarding(Cell cell, MapFunction<T, T> relay) {
        return cell.hoard() > 0 ? new Hoarding<>(relay, cell.hoard()) : relay;
    }

    /** Keeps and replaces memory beside what it does. */
    private static final class Hoarding<T> extends RichMapFunction<T, T> {
        private static final long serialVersionUID = 1L;

        private final MapFunction<T, T> relay;
        private final long bytes;
        private transient @Nullable Hoard hoard;

        Hoarding(MapFunction<T, T> relay, long bytes) {
            this.relay = relay;
            this.bytes = bytes;
        }

        @Override
        public void open(OpenContext context) {
            hoard = new Hoard(bytes);
        }

        @Override
        public T map(T record) throws Exception {
            if (hoard != null) {
                hoard.replace();
            }
            return relay.map(record);
        }
    }
}
