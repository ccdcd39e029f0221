// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.operator.Aggregate;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;

/**
 * Lines of JSON at the price of a copy, to measure those who read them and not the generator: a pool of the size's slots is
 * made beforehand, and each line handed out is a copy of one of them, with a time of its own, and with {@link #BYTES_UP} plus
 * its number for {@code bytesUp}. So the sum of bytesUp says which lines were read. Any thread may ask for any line.
 */
public final class TelecomLines {
    /** What bytesUp counts from, so that it has 13 digits in every line. */
    public static final long BYTES_UP = 1_000_000_000_000L;

    private static final int DIGITS = 13;
    private static final int TIME_AT = "{\"time\":".length();
    private static final String NAME = "\"bytesUp\":";

    private final TelecomSize size;
    private final byte[][] pool;
    private final int[] bytesUpAt;

    public TelecomLines(TelecomSize size) {
        this.size = size;
        pool = new byte[size.slots()][];
        bytesUpAt = new int[pool.length];
        TelecomGenerator generator = new TelecomGenerator(size);
        LineEncoder encoder = new LineEncoder(LineFormat.JSON);
        for (int i = 0; i < pool.length; i++) {
            byte[] line = generator.line(i, encoder);
            int at = new String(line, StandardCharsets.ISO_8859_1).indexOf(NAME) + NAME.length();
            int end = at;
            while (line[end] >= '0' && line[end] <= '9') {
                end++;
            }
            byte[] widened = new byte[line.length - (end - at) + DIGITS];
            System.arraycopy(line, 0, widened, 0, at);
            System.arraycopy(line, end, widened, at + DIGITS, line.length - end);
            pool[i] = widened;
            bytesUpAt[i] = at;
        }
    }

    /** Line n, from 0; its time advances by a window for every {@link TelecomSize#windowRecords()} lines. */
    public byte[] line(long n) {
        int i = (int) (n & (pool.length - 1));
        byte[] line = pool[i].clone();
        digits(TelecomSize.FIRST_WINDOW_MS + n * TelecomSize.WINDOW_MS / size.windowRecords(), line, TIME_AT);
        digits(BYTES_UP + n, line, bytesUpAt[i]);
        return line;
    }

    /** Which group the line of each number is of: those of one window with the same 62 dimensions are of one. Any thread may ask. */
    public static LongUnaryOperator groups(TelecomSize size) {
        TelecomProfiles profiles = TelecomProfiles.of(size);
        return n -> n / size.windowRecords() * size.profiles() + profiles.profileOf(n & (size.slots() - 1));
    }

    /** The measures of the line of each number, as {@link TelecomSums#units} has the sums of them. Any thread may ask. */
    public static LongFunction<long[]> units(TelecomSize size) {
        TelecomGenerator generator = new TelecomGenerator(size);
        int bytesUp = TelecomSums.names().indexOf("bytesUp");
        return n -> {
            long[] units = units(TelecomSums.aggregate(), generator.probe(n & (size.slots() - 1)));
            units[bytesUp] = BYTES_UP + n;
            return units;
        };
    }

    private static <A> long[] units(Aggregate<Probe, A, TelecomSums> sums, Probe probe) {
        try {
            A one = sums.create();
            sums.add(one, probe);
            return Objects.requireNonNull(sums.result(one)).units();
        } catch (Exception e) {
            throw new IllegalStateException(e); // it adds up, and nothing else
        }
    }

    /** The event time of a line, in milliseconds since 1970, without parsing the rest of it. */
    public static long timeMs(byte[] line) {
        long time = 0;
        for (int i = TIME_AT; i < TIME_AT + DIGITS; i++) {
            time = time * 10 + line[i] - '0';
        }
        return time;
    }

    private static void digits(long value, byte[] line, int at) {
        long rest = value;
        for (int i = at + DIGITS - 1; i >= at; i--) {
            line[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
