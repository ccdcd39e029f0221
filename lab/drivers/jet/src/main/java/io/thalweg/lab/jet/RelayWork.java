// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.function.FunctionEx;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.Load;
import io.thalweg.lab.driver.Message;
import io.thalweg.lab.driver.Payload;
import io.thalweg.lab.driver.SinkMeter;
import java.io.Serializable;

/**
 * What is done with the records of a RELAY.
 *
 * @param maker makes the next record of a source's load
 * @param relay what a relay hands on for a record
 * @param counter counts what comes out
 * @param number of a record
 * @param reader makes a record of what stands in Kafka
 */
record RelayWork<T>(
        Maker<T> maker,
        FunctionEx<T, T> relay,
        Counter<T> counter,
        FunctionEx<T, Long> number,
        FunctionEx<byte[], T> reader)
        implements Serializable {
    interface Maker<T> extends Serializable {
        T next(Load load);
    }

    interface Counter<T> extends Serializable {
        void count(T record, SinkMeter meter);
    }

    static RelayWork<?> of(Cell cell) {
        boolean timed = cell.ratePerSecond() > 0 || cell.stamps();
        if (cell.payload() > 0) {
            byte[] template = Payload.template(cell.payload());
            Maker<Message> maker = timed
                    ? load -> {
                        long[] times = {load.dueNs()};
                        return Message.of(load.take(), template, times);
                    }
                    : load -> Message.of(load.take(), template, Message.UNTIMED);
            FunctionEx<Message, Message> relay = cell.stamps() ? Message::next : message -> message;
            return new RelayWork<>(
                    maker,
                    relay,
                    (message, meter) -> message.count(template.length, meter),
                    Message::number,
                    timed
                            ? data -> new Message(Payload.number(data), data, new long[] {System.nanoTime()})
                            : Message::read);
        }
        if (timed) {
            return new RelayWork<>(
                    RelayWork::numbered,
                    number -> number,
                    (number, meter) -> meter.received(number.number(), number.dueNs()),
                    Numbered::number,
                    data -> new Numbered(Payload.number(data), System.nanoTime()));
        }
        return new RelayWork<>(
                Load::take,
                number -> number,
                (number, meter) -> meter.received(number),
                number -> number,
                Payload::number);
    }

    private static Numbered numbered(Load load) {
        long dueNs = load.dueNs();
        return new Numbered(load.take(), dueNs);
    }
}
