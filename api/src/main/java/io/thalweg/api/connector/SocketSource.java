// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import java.util.List;
import java.util.Set;

/**
 * Records from servers that this source connects to, over TCP. Each server is one split, which ends when the server closes the
 * connection. What was read cannot be read again, so a job that promises exactly-once or at-least-once refuses this source. Made
 * by {@link Sources#socketLines} and {@link Sources#socketFrames}.
 *
 * @param <T> records
 */
public final class SocketSource<T> implements LiveSource<T> {
    private static final long serialVersionUID = 1L;

    static final int DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
    private static final int HIGHEST_MAX_BYTES = 1024 * 1024 * 1024;

    private final List<String> servers;
    private final Framing<T> framing;
    private final Class<T> record;
    private final int maxBytes;

    SocketSource(List<String> servers, Framing<T> framing, Class<T> record, int maxBytes) {
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("name at least one server, as HOST:PORT");
        }
        servers.forEach(ServerAddress::of);
        if (Set.copyOf(servers).size() < servers.size()) {
            throw new IllegalArgumentException("a server is named twice: " + String.join(", ", servers));
        }
        if (maxBytes < 1 || maxBytes > HIGHEST_MAX_BYTES) {
            throw new IllegalArgumentException("maxBytes must be from 1 to " + HIGHEST_MAX_BYTES + ", not " + maxBytes);
        }
        this.servers = List.copyOf(servers);
        this.framing = framing;
        this.record = record;
        this.maxBytes = maxBytes;
    }

    /** A longer line is bad; a longer frame ends the job, because the peer hardly sends frames. 16 MiB unless told. */
    public SocketSource<T> maxBytes(int bytes) {
        return new SocketSource<>(servers, framing, record, bytes);
    }

    @Override
    public String name() {
        return String.join(", ", servers);
    }

    @Override
    public Type<T> type() {
        return Type.of(record);
    }

    @Override
    public List<String> splits(int parallelism) {
        return servers;
    }

    @Override
    public LiveReader<T> open(SourceContext context) throws Exception {
        return new SocketReader<>(framing, maxBytes);
    }
}
