// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Points 0, 1, 2 …, all in the one object. */
record PointSource(long count) implements Source<Point> {
    @Override
    public String name() {
        return "points";
    }

    @Override
    public Type<Point> type() {
        return Type.of(Point.class);
    }

    @Override
    public boolean reusesRecords() {
        return true;
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("all");
    }

    @Override
    public SplitReader<Point> open(String split, SourceContext context) {
        return new Reader(count);
    }

    static final class Reader implements SplitReader<Point> {
        private final Point point = new Point();
        private final long end;
        private long next;

        Reader(long end) {
            this.end = end;
        }

        @Override
        public @Nullable Point poll() {
            if (next == end) {
                return null;
            }
            point.value = next++;
            return point;
        }

        @Override
        public boolean finished() {
            return next == end;
        }

        @Override
        public long position() {
            return next;
        }
    }
}
