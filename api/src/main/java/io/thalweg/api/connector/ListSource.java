// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list as a source. */
record ListSource<T>(Type<T> type, List<T> elements) implements Source<T> {
    @Override
    public String name() {
        return "list of " + elements.size() + " " + type;
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.of("list");
    }

    @Override
    public SplitReader<T> open(String split, SourceContext context) {
        return new Reader<>(elements);
    }

    private static final class Reader<T> implements SplitReader<T> {
        private final List<T> elements;
        private int next;

        Reader(List<T> elements) {
            this.elements = elements;
        }

        @Override
        public @Nullable T poll() {
            return next < elements.size() ? elements.get(next++) : null;
        }

        @Override
        public boolean finished() {
            return next == elements.size();
        }

        @Override
        public long position() {
            return next;
        }

        @Override
        public void seek(long position) {
            next = (int) position;
        }

        @Override
        public long recordOffset() {
            return next - 1L;
        }
    }
}
