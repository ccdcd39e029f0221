// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.util.Fnv;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A flat record of nested JSON, read by fastjson2, the quickest of the libraries: the 62 dimensions as texts, null if they are empty;
 * the measures that are whole numbers; those that are not. A cost counts in its fourth decimal, an empty measure as nothing.
 * Whoever uses it has fastjson2 among its own dependencies.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record FlatProbe(@Nullable String[] dimensions, long[] whole, double[] fractions) {
    private static final int COST_SCALE = 4;
    private static final Set<String> FRACTIONS = Set.of("rtt", "jitter", "mos", "sparse");
    private static final int DIMENSIONS = TelecomDimension.values().length;

    /** The fields in the order of the lines, as fastjson2 hashes their names. */
    private static final long[] NAMES;

    /** For each measure in its order, where it stands in the record: among the whole numbers, or from the end among the others. */
    private static final int[] PLACES;

    /** How many measures are whole numbers, and how many are not. */
    public static final int WHOLE;

    public static final int FRACTIONAL = FRACTIONS.size();

    /** Where among the whole numbers these stand. */
    public static final int RECORDS;

    private static final int BYTES_UP;

    private static final int COST;

    static {
        List<String> measures = TelecomSums.names();
        NAMES = Stream.concat(Stream.of(TelecomDimension.values()).map(TelecomDimension::fieldName), measures.stream())
                .mapToLong(Fnv::hashCode64)
                .toArray();
        PLACES = new int[measures.size()];
        int whole = 0;
        int fractional = 0;
        for (int i = 0; i < PLACES.length; i++) {
            PLACES[i] = FRACTIONS.contains(measures.get(i)) ? -1 - fractional++ : whole++;
        }
        WHOLE = whole;
        RECORDS = PLACES[measures.indexOf("records")];
        BYTES_UP = PLACES[measures.indexOf("bytesUp")];
        COST = PLACES[measures.indexOf("cost")];
    }

    /** Its number among the lines of {@link TelecomLines}. */
    public long number() {
        return whole[BYTES_UP] - TelecomLines.BYTES_UP;
    }

    /** The sum of the numbers of lines, by the sums of their whole measures. */
    public static long numbers(long[] sums) {
        return sums[BYTES_UP] - sums[RECORDS] * TelecomLines.BYTES_UP;
    }

    /** The sums of all measures, as {@link TelecomSums#units} has them. */
    public static long[] units(long[] whole, double[] fractions) {
        long[] units = new long[PLACES.length];
        for (int i = 0; i < units.length; i++) {
            int place = PLACES[i];
            units[i] = place < 0 ? TelecomSums.eighths(fractions[-1 - place]) : whole[place];
        }
        return units;
    }

    /** The window that a line is of, from 0 for the first one of 1970, without parsing it. */
    public static long windowOf(byte[] line) {
        return TelecomLines.timeMs(line) / TelecomSize.WINDOW_MS;
    }

    /** Reads a line. */
    public static FlatProbe of(byte[] line) {
        FlatProbe record = new FlatProbe(new String[DIMENSIONS], new long[WHOLE], new double[FRACTIONAL]);
        try (JSONReader in = JSONReader.of(line)) {
            object(in, 0, record);
        }
        return record;
    }

    /** Reads an object; {@code next} is the field that comes next if they come in the usual order, which saves a search. */
    private static int object(JSONReader in, int next, FlatProbe record) {
        int expected = next;
        in.nextIfObjectStart();
        while (!in.nextIfObjectEnd()) {
            long name = in.readFieldNameHashCode();
            if (in.isObject()) {
                expected = object(in, expected, record);
                continue;
            }
            int field = expected < NAMES.length && NAMES[expected] == name ? expected : indexOf(name);
            if (field < 0) {
                in.skipValue();
                continue;
            }
            if (field < DIMENSIONS) {
                record.dimensions[field] = in.readString();
            } else if (!in.nextIfNull()) {
                measure(in, PLACES[field - DIMENSIONS], record);
            }
            expected = field + 1;
        }
        return expected;
    }

    private static void measure(JSONReader in, int place, FlatProbe record) {
        if (place < 0) {
            record.fractions[-1 - place] = in.readDoubleValue();
        } else if (place == COST) {
            record.whole[place] = in.readBigDecimal().movePointRight(COST_SCALE).longValue();
        } else {
            record.whole[place] = in.readInt64Value();
        }
    }

    private static int indexOf(long name) {
        for (int i = 0; i < NAMES.length; i++) {
            if (NAMES[i] == name) {
                return i;
            }
        }
        return -1;
    }
}
