// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as lines. The profile brings its dimensions as bytes; only the time and the measures are formatted.
 * For one thread at a time.
 */
final class LineEncoder {
    private static final byte[] POINT = {'.'};
    private static final byte[][] EIGHTHS = new byte[8][];

    static {
        for (int i = 0; i < 8; i++) {
            EIGHTHS[i] = LineBuffer.ascii(String.valueOf(i / 8.0).substring(1)); // .0 .125 .25 ...
        }
    }

    private final LineFormat format;
    private final byte[][] beforeMeasure;
    private final LineBuffer start = new LineBuffer(64);
    private final LineBuffer end = new LineBuffer(1_024);

    LineEncoder(LineFormat format) {
        this.format = format;
        beforeMeasure = format.beforeMeasures;
    }

    byte[] encode(long timeMs, Profile profile, Probe.Measures measures) {
        start.clear();
        start.text(format.head);
        start.number(timeMs);
        byte[] dimensions = profile.encoded(format);
        end.clear();
        measures(measures);
        end.text(format.tail);

        byte[] line = new byte[start.length + dimensions.length + end.length];
        System.arraycopy(start.bytes, 0, line, 0, start.length);
        System.arraycopy(dimensions, 0, line, start.length, dimensions.length);
        System.arraycopy(end.bytes, 0, line, start.length + dimensions.length, end.length);
        return line;
    }

    private void measures(Probe.Measures m) {
        number(0, m.records());
        number(1, m.bytesUp());
        number(2, m.bytesDown());
        number(3, m.pktsUp());
        number(4, m.pktsDown());
        number(5, m.durationMs());
        number(6, m.retrans());
        number(7, m.dnsMs());
        number(8, m.tcpMs());
        number(9, m.drops());
        number(10, m.handovers());
        number(11, m.setupFail());
        eighths(12, m.rtt());
        eighths(13, m.jitter());
        eighths(14, m.mos());
        number(15, m.rsrp());
        number(16, m.sinr());
        number(17, m.volumeCharged());
        cost(18, m.cost());
        sparse(19, m.sparse());
    }

    private void number(int measure, long value) {
        end.text(beforeMeasure[measure]);
        end.number(value);
    }

    private void number(int measure, @Nullable Long value) {
        end.text(beforeMeasure[measure]);
        if (value == null) {
            end.text(format.nothing);
        } else {
            end.number(value);
        }
    }

    private void eighths(int measure, double value) {
        long eighths = (long) (value * 8);
        end.text(beforeMeasure[measure]);
        end.number(eighths >>> 3);
        end.text(EIGHTHS[(int) eighths & 7]);
    }

    private void cost(int measure, @Nullable BigDecimal value) {
        end.text(beforeMeasure[measure]);
        if (value == null) {
            end.text(format.nothing);
        } else {
            long tenThousandths = value.unscaledValue().longValue();
            end.number(tenThousandths / 10_000);
            end.text(POINT);
            end.fourDigits((int) (tenThousandths % 10_000));
        }
    }

    private void sparse(int measure, @Nullable Double value) {
        end.text(beforeMeasure[measure]);
        if (value == null) {
            end.text(format.nothing);
        } else {
            end.text(value.toString());
        }
    }
}
