// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.tune;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.Codec;
import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The records of a {@link Stretch} from the splits of the source that they came from, once, as fast as they are polled. */
final class ReplayedSource implements Source<Object> {
    private static final long serialVersionUID = 1L;

    private static final int BUFFER = 1 << 16;

    private final String name;
    private final Type<Object> type;
    private final LinkedHashMap<String, String> files;

    /** @param files by split */
    ReplayedSource(String name, Type<Object> type, Map<String, String> files) {
        this.name = name;
        this.type = type;
        this.files = new LinkedHashMap<>(files);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Type<Object> type() {
        return type;
    }

    @Override
    public List<String> splits(int parallelism) {
        return List.copyOf(files.keySet());
    }

    @Override
    public SplitReader<Object> open(String split, SourceContext context) throws IOException {
        String file = files.get(split);
        if (file == null) {
            throw new ConnectorException("nothing was recorded of " + split + " of " + name);
        }
        return new Reader(Path.of(file), type.codec());
    }

    @Override
    public boolean replayable() {
        return true;
    }

    /** Of records that are each preceded by their length. */
    private static final class Reader implements SplitReader<Object> {
        private final Codec<Object> codec;
        private final long end;
        private final DataInputStream in;
        private byte[] bytes = new byte[256];
        private long position;

        Reader(Path file, Codec<Object> codec) throws IOException {
            this.codec = codec;
            end = Files.size(file);
            in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
        }

        @Override
        public @Nullable Object poll() throws IOException {
            if (position == end) {
                return null;
            }
            int length = in.readInt();
            if (length > bytes.length) {
                bytes = new byte[Math.max(length, 2 * bytes.length)];
            }
            in.readFully(bytes, 0, length);
            position += Integer.BYTES + length;
            return codec.decode(new ByteReader(bytes, 0, length));
        }

        @Override
        public boolean finished() {
            return position == end;
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public void seek(long to) throws IOException {
            in.skipNBytes(to);
            position = to;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
