// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list as a source. Its elements travel through their codec, so that they need not be serializable themselves. */
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

    @Override
    public boolean replayable() {
        return true;
    }

    private Object writeReplace() {
        ByteWriter writer = new ByteWriter(1024);
        elements.forEach(element -> type.codec().encode(element, writer));
        return new Encoded<>(type, elements.size(), writer.toByteArray());
    }

    private record Encoded<T>(Type<T> type, int count, byte[] bytes) implements Serializable {
        private Object readResolve() {
            ByteReader reader = new ByteReader(bytes);
            List<T> elements = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                elements.add(type.codec().decode(reader));
            }
            return new ListSource<>(type, List.copyOf(elements));
        }
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
