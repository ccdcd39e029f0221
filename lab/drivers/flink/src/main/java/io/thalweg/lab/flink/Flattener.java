// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.flink;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.util.Fnv;
import io.thalweg.workloads.telecom.TelecomDimension;
import io.thalweg.workloads.telecom.TelecomSums;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.BasicArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;

/**
 * Makes a flat record of nested JSON, with the quickest of the libraries: the 62 dimensions as texts, null if they are empty;
 * the measures that are whole numbers; those that are not. A cost counts in its fourth decimal, an empty measure as nothing.
 */
final class Flattener implements MapFunction<byte[], Tuple3<String[], long[], double[]>> {
    static final TypeInformation<Tuple3<String[], long[], double[]>> TYPE = Types.TUPLE(
            BasicArrayTypeInfo.STRING_ARRAY_TYPE_INFO,
            PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO,
            PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO);

    private static final long serialVersionUID = 1L;

    private static final int COST_SCALE = 4;
    private static final Set<String> FRACTIONS = Set.of("rtt", "jitter", "mos", "sparse");
    private static final int DIMENSIONS = TelecomDimension.values().length;

    /** The fields in the order of the lines, as fastjson2 hashes their names. */
    private static final long[] NAMES;

    /** For each measure in its order, where it stands in the record: among the whole numbers, or from the end among the others. */
    private static final int[] PLACES;

    /** How many measures are whole numbers, and how many are not. */
    static final int WHOLE;

    static final int FRACTIONAL = FRACTIONS.size();

    /** Where among the whole numbers these stand. */
    static final int RECORDS;

    static final int BYTES_UP;

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

    @Override
    public Tuple3<String[], long[], double[]> map(byte[] line) {
        Tuple3<String[], long[], double[]> record =
                Tuple3.of(new String[DIMENSIONS], new long[WHOLE], new double[FRACTIONAL]);
        try (JSONReader in = JSONReader.of(line)) {
            object(in, 0, record);
        }
        return record;
    }

    /** Reads an object; {@code next} is the field that comes next if they come in the usual order, which saves a search. */
    private static int object(JSONReader in, int next, Tuple3<String[], long[], double[]> record) {
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
                record.f0[field] = in.readString();
            } else if (!in.nextIfNull()) {
                measure(in, PLACES[field - DIMENSIONS], record);
            }
            expected = field + 1;
        }
        return expected;
    }

    private static void measure(JSONReader in, int place, Tuple3<String[], long[], double[]> record) {
        if (place < 0) {
            record.f2[-1 - place] = in.readDoubleValue();
        } else if (place == COST) {
            record.f1[place] = in.readBigDecimal().movePointRight(COST_SCALE).longValue();
        } else {
            record.f1[place] = in.readInt64Value();
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
