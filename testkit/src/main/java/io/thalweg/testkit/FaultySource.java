// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded source of one split, some of whose records are bad. Records must be serializable.
 *
 * @param <T> records
 * @param type of the records
 * @param records in their order; null for a bad one
 */
public record FaultySource<T>(Type<T> type, List<@Nullable T> records) implements Source<T> {
    public FaultySource {
        records = Collections.unmodifiableList(new ArrayList<>(records));
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("0");
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        return new Reader<>(records, context);
    }

    private static final class Reader<T> implements SplitReader<T> {
        private final List<@Nullable T> records;
        private final SourceContext context;
        private int next;

        Reader(List<@Nullable T> records, SourceContext context) {
            this.records = records;
            this.context = context;
        }

        @Override
        public @Nullable T poll() {
            while (next < records.size()) {
                T record = records.get(next++);
                if (record != null) {
                    return record;
                }
                context.bad(new BadRecord("0", next, next - 1L, "it is bad", new byte[] {'b', 'a', 'd'}));
            }
            return null;
        }

        @Override
        public boolean finished() {
            return next == records.size();
        }

        @Override
        public long position() {
            return next;
        }

        @Override
        public long recordOffset() {
            return next - 1L;
        }
    }
}
