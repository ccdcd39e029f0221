// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.driver;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How the records of a cell look as tuples of Storm and of JStorm, whose classes have the same names in other packages: the
 * number; then, with a payload, the data, which begin with the number; then, where latency is measured, the time, or with stamps
 * all times so far. To and from Python the data are a text of Latin-1, and the times a list.
 */
public final class TupleLayout implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int payload;
    private final boolean stamps;
    private final boolean timed;
    private final boolean text;
    private final byte[] template;

    public TupleLayout(Cell cell) {
        payload = cell.payload();
        stamps = cell.stamps() && payload > 0;
        timed = cell.stamps() || cell.ratePerSecond() > 0;
        text = cell.processer().equals("python");
        template = Payload.template(payload);
    }

    /** The names of a tuple's values. */
    public String[] fields() {
        if (payload == 0) {
            return timed ? new String[] {"number", "due"} : new String[] {"number"};
        }
        return timed ? new String[] {"number", "data", stamps ? "times" : "due"} : new String[] {"number", "data"};
    }

    /** Whether the time of a record is to be known. */
    public boolean timed() {
        return timed;
    }

    /** A new record. */
    public List<Object> of(long number, long dueNs) {
        if (payload == 0) {
            return timed ? values(number, dueNs) : values(number);
        }
        Object data = textOrBytes(Payload.of(number, template));
        if (!timed) {
            return values(number, data);
        }
        return values(number, data, stamps ? firstOf(dueNs) : dueNs);
    }

    /** The times so far, of which there is one. JStorm's JSON has no arrays. */
    private Object firstOf(long timeNs) {
        return text ? values(timeNs) : new long[] {timeNs};
    }

    private Object textOrBytes(byte[] data) {
        return text ? new String(data, StandardCharsets.ISO_8859_1) : data;
    }

    /** A record read from outside, now, with these data. */
    public List<Object> read(long number, byte[] data) {
        if (payload == 0) {
            return of(number, timed ? System.nanoTime() : 0);
        }
        return timed
                ? values(number, textOrBytes(data), stamps ? firstOf(System.nanoTime()) : System.nanoTime())
                : values(number, textOrBytes(data));
    }

    /** What a relay hands on: the record as it is, or with stamps one of its own with a copy of the data and one more time. */
    public List<Object> relayed(List<Object> tuple) {
        return stamps
                ? values(tuple.get(0), ((byte[]) tuple.get(1)).clone(), Payload.andNow((long[]) tuple.get(2)))
                : tuple;
    }

    private static List<Object> values(Object... values) {
        List<Object> list = new ArrayList<>(values.length);
        Collections.addAll(list, values);
        return list;
    }

    /** Checks and counts a record that came out. */
    public void count(List<Object> tuple, SinkMeter meter) {
        long number = ((Number) tuple.get(0)).longValue(); // JSON makes an Integer of a small one
        if (payload > 0) {
            Object data = tuple.get(1);
            byte[] bytes = text ? ((String) data).getBytes(StandardCharsets.ISO_8859_1) : (byte[]) data;
            if (!Payload.isWhole(bytes, payload, number)) {
                meter.damaged();
            }
            meter.data(bytes);
        }
        if (timed) {
            meter.received(number, firstTime(tuple.get(tuple.size() - 1)));
        } else {
            meter.received(number);
        }
    }

    private static long firstTime(Object time) {
        if (time instanceof long[] times) {
            return times[0];
        }
        Object first = time instanceof List<?> times ? times.get(0) : time;
        return ((Number) first).longValue();
    }
}
