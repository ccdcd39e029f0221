// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All that a reader gave, to its end. */
record Drained<T>(List<T> values, List<Long> positions, List<BadRecord> bad) {

    static <T> Drained<T> of(Source<T> source, String split) throws Exception {
        SteppedContext context = new SteppedContext();
        return of(source.open(split, context), context.bad);
    }

    static <T> Drained<T> of(Source<T> source) throws Exception {
        return of(source, "part 1 of 1");
    }

    static <T> Drained<T> of(SplitReader<T> reader, List<BadRecord> bad) throws Exception {
        List<T> values = new ArrayList<>();
        List<Long> positions = new ArrayList<>();
        T value = reader.poll();
        while (value != null) {
            values.add(value);
            positions.add(reader.position());
            value = reader.poll();
        }
        if (!reader.finished()) {
            throw new AssertionError("the reader gave null before its end");
        }
        return new Drained<>(values, positions, bad);
    }

    Map<T, Integer> counts() {
        Map<T, Integer> counts = new HashMap<>();
        values.forEach(value -> counts.merge(value, 1, Integer::sum));
        return counts;
    }
}
