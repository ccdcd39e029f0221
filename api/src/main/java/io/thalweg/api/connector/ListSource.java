// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.codec.Formats;
import io.thalweg.api.codec.Type;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
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
        return new Reader<>(type, elements);
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
        private static final int VERSION = 1;

        private final Type<T> type;
        private final List<T> elements;
        private int next;

        /** Of so many elements. */
        private final CRC32C checksum = new CRC32C();

        private int summed;

        Reader(Type<T> type, List<T> elements) {
            this.type = type;
            this.elements = elements;
        }

        private long checksum(int count) {
            ByteWriter bytes = new ByteWriter(256);
            for (; summed < count; summed++) {
                type.codec().encode(elements.get(summed), bytes);
                checksum.update(bytes.array(), 0, bytes.size());
                bytes.clear();
            }
            return checksum.getValue();
        }

        @Override
        public byte[] fingerprint() {
            ByteWriter out = new ByteWriter(64);
            out.writeVarLong(VERSION);
            out.writeText(Formats.of(type));
            out.writeVarLong(Math.max(next, summed));
            out.writeVarLong(checksum(Math.max(next, summed)));
            return out.toByteArray();
        }

        @Override
        public @Nullable String changed(byte[] fingerprint) {
            ByteReader in = Fingerprints.begin(fingerprint, VERSION, "list");
            String saved = in.readText();
            int count = (int) in.readVarLong();
            if (!saved.equals(Formats.of(type))) {
                return "the list held " + saved + ", and holds " + Formats.of(type) + " now";
            }
            if (count > elements.size()) {
                return count + " elements had been read, and the list has " + elements.size() + " now";
            }
            return in.readVarLong() == checksum(count)
                    ? null
                    : "the first " + count + " elements, which had been read, have changed";
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
            next = (int) Math.min(position, elements.size());
        }

        @Override
        public long recordOffset() {
            return next - 1L;
        }
    }
}
