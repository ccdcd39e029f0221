// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jstorm;

import backtype.storm.tuple.Fields;
import backtype.storm.tuple.Tuple;
import backtype.storm.tuple.Values;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.SinkMeter;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * How the records of a cell look as tuples: the number; then, with a payload, the data, which begin with the number; then, where
 * latency is measured, the time, or with stamps all times so far.
 */
final class Message implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int payload;
    private final boolean stamps;
    private final boolean timed;
    private final byte[] template;

    Message(Cell cell) {
        payload = cell.payload();
        if (payload != 0 && payload < Long.BYTES) {
            throw new IllegalArgumentException("payload must be 0 or at least 8, not " + payload);
        }
        stamps = cell.stamps() && payload > 0;
        timed = cell.stamps() || cell.ratePerSecond() > 0;
        template = new byte[payload];
        Arrays.fill(template, (byte) 'x');
    }

    Fields fields() {
        if (payload == 0) {
            return timed ? new Fields("number", "due") : new Fields("number");
        }
        return timed ? new Fields("number", "data", stamps ? "times" : "due") : new Fields("number", "data");
    }

    /** Whether the time of a record is to be known. */
    boolean timed() {
        return timed;
    }

    /** A new record. */
    Values of(long number, long dueNs) {
        if (payload == 0) {
            return timed ? new Values(number, dueNs) : new Values(number);
        }
        byte[] data = data(number);
        if (!timed) {
            return new Values(number, data);
        }
        return stamps ? new Values(number, data, new long[] {dueNs}) : new Values(number, data, dueNs);
    }

    private byte[] data(long number) {
        byte[] data = template.clone();
        LONG.set(data, 0, number);
        return data;
    }

    /** What a relay hands on: the record as it is, or with stamps one of its own with a copy of the data and one more time. */
    List<Object> relayed(Tuple tuple) {
        if (!stamps) {
            return tuple.getValues();
        }
        long[] times = (long[]) tuple.getValue(2);
        return new Values(tuple.getValue(0), tuple.getBinary(1).clone(), stamped(times));
    }

    private static long[] stamped(long[] times) {
        long[] more = Arrays.copyOf(times, times.length + 1);
        more[times.length] = System.nanoTime();
        return more;
    }

    /** Checks and counts a record that came out. */
    void count(Tuple tuple, SinkMeter meter) {
        long number = tuple.getLong(0);
        if (payload > 0 && !whole(tuple.getBinary(1), number)) {
            meter.damaged();
        }
        if (timed) {
            meter.received(number, firstTime(tuple.getValue(tuple.size() - 1)));
        } else {
            meter.received(number);
        }
    }

    private boolean whole(byte[] data, long number) {
        return data.length == payload && (long) LONG.get(data, 0) == number;
    }

    private static long firstTime(Object time) {
        return time instanceof long[] times ? times[0] : (long) time;
    }
}
