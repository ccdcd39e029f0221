// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Hoard;
import io.thalweg.lab.driver.SinkMeter;
import java.util.Random;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * The records of {@link Cell.Workload#RELAY}: what they are, what a relay does with one, what the sink does with one.
 *
 * @param type how Flink serializes them
 * @param relay each task gets a copy of its own
 */
record RelayJob<T>(
        TypeInformation<T> type, LoadSource.Maker<T> maker, MapFunction<T, T> relay, MeterSink.Taker<T> taker) {

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
                    relay(cell),
                    (record, meter) -> meter.received(record.number, record.dueNs));
        }
        return new RelayJob<>(Types.LONG, load -> load.take(), relay(cell), (record, meter) -> meter.received(record));
    }

    private static RelayJob<Message> messages(Cell cell, boolean timed) {
        byte[] template = new byte[cell.payload()];
        new Random(1).nextBytes(template);
        LoadSource.Maker<Message> maker = timed
                ? load -> {
                    long dueNs = load.dueNs();
                    return Message.of(load.take(), template, dueNs);
                }
                : load -> Message.of(load.take(), template);
        MapFunction<Message, Message> relay =
                cell.stamps() ? message -> message.stamped(System.nanoTime()) : relay(cell);
        return new RelayJob<>(
                TypeInformation.of(Message.class),
                maker,
                cell.hoard() > 0 ? new Hoarding<>(relay, cell.hoard()) : relay,
                (message, meter) -> take(message, template.length, meter));
    }

    private static void take(Message message, int length, SinkMeter meter) {
        if (!message.isWhole(length)) {
            meter.damaged();
        }
        if (message.times().length > 0) {
            meter.received(message.number(), message.times()[0]);
        } else {
            meter.received(message.number());
        }
    }

    private static <T> MapFunction<T, T> relay(Cell cell) {
        MapFunction<T, T> relay = record -> record;
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
