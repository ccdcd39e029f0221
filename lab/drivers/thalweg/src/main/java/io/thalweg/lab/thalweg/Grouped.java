// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.thalweg;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.operator.Aggregate;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.StreamSink;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.lab.driver.Cell;
import io.thalweg.lab.driver.GroupBy;
import java.io.Serializable;
import java.time.Duration;

/** sources → sums of measures grouped by dimensions → sinks. */
final class Grouped {
    private Grouped() {}

    static void define(Topology topology, Cell cell, boolean apart) {
        GroupBy data = new GroupBy(cell);
        Stream<WindowResult<GroupBy.Key, long[]>> sums = topology.from(
                        new LoadSource<>(cell, Type.of(Fact.class), () -> load -> fact(data, load.take())))
                .parallelism(cell.sources())
                .eventTime(Fact::timeMs, Duration.ZERO)
                .keyBy(fact -> new GroupBy.Key(fact.dimensions()), Type.custom(GroupBy.Key.class, new KeyCodec()))
                .window(Windows.tumbling(Duration.ofMillis(GroupBy.WINDOW_MS)))
                .aggregate(new Sums(cell.measures()))
                .parallelism(cell.sinks());
        StreamSink sink = sums.to(new Counted<>(cell, (row, meter) -> {
                    meter.receivedRow(row.value()[0], row.value()[1]);
                    meter.group(row.start(), row.key().dimensions(), row.value());
                }))
                .parallelism(cell.sinks());
        if (apart) {
            sums.isolate();
            sink.isolate();
        }
    }

    private static Fact fact(GroupBy data, long n) {
        return new Fact(data.timeMs(n), data.dimensions(n), data.measures(n));
    }

    record Fact(long timeMs, int[] dimensions, long[] measures) {}

    /** Count, then the sum of each measure. */
    private record Sums(int measures) implements Aggregate<Fact, long[], long[]> {
        @Override
        public long[] create() {
            return new long[1 + measures];
        }

        @Override
        public void add(long[] sums, Fact fact) {
            sums[0]++;
            long[] added = fact.measures();
            for (int i = 0; i < added.length; i++) {
                sums[1 + i] += added[i];
            }
        }

        @Override
        public void merge(long[] sums, long[] other) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += other[i];
            }
        }

        @Override
        public long[] result(long[] sums) {
            return sums.clone();
        }

        @Override
        public Type<long[]> accumulatorType() {
            return Type.of(long[].class);
        }

        @Override
        public Type<long[]> resultType() {
            return Type.of(long[].class);
        }
    }

    private static final class KeyCodec implements Codec<GroupBy.Key>, Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public void encode(GroupBy.Key key, ByteWriter out) {
            out.writeVarLong(key.dimensions().length);
            for (int dimension : key.dimensions()) {
                out.writeVarLong(dimension);
            }
        }

        @Override
        public GroupBy.Key decode(ByteReader in) {
            int[] dimensions = new int[in.readLength()];
            for (int i = 0; i < dimensions.length; i++) {
                dimensions[i] = (int) in.readVarLong();
            }
            return new GroupBy.Key(dimensions);
        }

        @Override
        public int hash(GroupBy.Key key) {
            return key.hashCode(); // of the numbers alone, so the same in every JVM
        }

        @Override
        public boolean immutable() {
            return true;
        }
    }
}
