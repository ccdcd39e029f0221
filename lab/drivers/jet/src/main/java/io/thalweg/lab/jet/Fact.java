// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.jet;

import com.hazelcast.jet.aggregate.AggregateOperation;
import com.hazelcast.jet.aggregate.AggregateOperation1;
import com.hazelcast.jet.datamodel.KeyedWindowResult;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.StreamSerializer;
import io.thalweg.lab.driver.GroupBy;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;

/** A record to group. */
record Fact(long timeMs, GroupBy.Key key, long[] measures) {

    static RelayWork.Maker<Fact> maker(GroupBy data) {
        return load -> {
            long n = load.take();
            return new Fact(data.timeMs(n), new GroupBy.Key(data.dimensions(n)), data.measures(n));
        };
    }

    /** The number of records, then the sums of their measures. */
    static AggregateOperation1<Fact, long[], long[]> sums(int measures) {
        return AggregateOperation.withCreate(() -> new long[1 + measures])
                .<Fact>andAccumulate((sums, fact) -> {
                    sums[0]++;
                    long[] added = fact.measures;
                    for (int i = 0; i < added.length; i++) {
                        sums[1 + i] += added[i];
                    }
                })
                .andCombine((sums, other) -> {
                    for (int i = 0; i < sums.length; i++) {
                        sums[i] += other[i];
                    }
                })
                .andExport(long[]::clone)
                .andFinish(sums -> sums);
    }

    static RelayWork.Counter<Map.Entry<GroupBy.Key, long[]>> rows() {
        return (row, meter) -> {
            meter.receivedRow(row.getValue()[0], row.getValue()[1]);
            if (row instanceof KeyedWindowResult<?, ?> window) {
                meter.group(window.start(), row.getKey().dimensions(), row.getValue());
            }
        };
    }

    static final class KeySerializer implements StreamSerializer<GroupBy.Key> {
        @Override
        public int getTypeId() {
            return 3;
        }

        @Override
        public void write(ObjectDataOutput out, GroupBy.Key key) throws IOException {
            out.writeIntArray(key.dimensions());
        }

        @Override
        public GroupBy.Key read(ObjectDataInput in) throws IOException {
            return new GroupBy.Key(Objects.requireNonNull(in.readIntArray()));
        }
    }
}
