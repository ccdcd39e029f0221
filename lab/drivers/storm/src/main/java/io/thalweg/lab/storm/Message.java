// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.SinkMeter;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * How the records of a cell look as tuples: the number; then, with a payload, the data, which begin with the number; then, where
 * latency is measured, the time, or with stamps all times so far. To and from Python the data are a text of Latin-1.
 */
final class Message implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final int payload;
    private final boolean stamps;
    private final boolean timed;
    private final boolean text;
    private final byte[] template;

    Message(Cell cell) {
        payload = cell.payload();
        if (payload != 0 && payload < Long.BYTES) {
            throw new IllegalArgumentException("payload must be 0 or at least 8, not " + payload);
        }
        stamps = cell.stamps() && payload > 0;
        timed = cell.stamps() || cell.ratePerSecond() > 0;
        text = cell.processer().equals("python");
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
        Object data = data(number);
        if (!timed) {
            return new Values(number, data);
        }
        return stamps ? new Values(number, data, new long[] {dueNs}) : new Values(number, data, dueNs);
    }

    private Object data(long number) {
        byte[] data = template.clone();
        LONG.set(data, 0, number);
        return textOrBytes(data);
    }

    private Object textOrBytes(byte[] data) {
        return text ? new String(data, StandardCharsets.ISO_8859_1) : data;
    }

    /** A record read from outside, now, with these data. */
    Values read(long number, byte[] data) {
        if (payload == 0) {
            return of(number, timed ? System.nanoTime() : 0);
        }
        return timed
                ? new Values(number, textOrBytes(data), stamps ? new long[] {System.nanoTime()} : System.nanoTime())
                : new Values(number, textOrBytes(data));
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
        long number = ((Number) tuple.getValue(0)).longValue(); // JSON makes an Integer of a small one
        if (payload > 0 && !whole(tuple.getValue(1), number)) {
            meter.damaged();
        }
        if (timed) {
            meter.received(number, firstTime(tuple.getValue(tuple.size() - 1)));
        } else {
            meter.received(number);
        }
    }

    private boolean whole(Object data, long number) {
        byte[] bytes = text ? ((String) data).getBytes(StandardCharsets.ISO_8859_1) : (byte[]) data;
        return bytes.length == payload && (long) LONG.get(bytes, 0) == number;
    }

    private static long firstTime(Object time) {
        if (time instanceof long[] times) {
            return times[0];
        }
        Object first = time instanceof List<?> times ? times.get(0) : time;
        return ((Number) first).longValue();
    }
}
