// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.Type;
import java.util.List;
import java.util.Set;

/**
 * Records from servers that this source connects to over TCP. Each server is one split, which ends when the server
 * closes the connection. The source is not replayable, so a job with the guarantee exactly-once or at-least-once
 * rejects it. Made by {@link Sources#socketLines} and {@link Sources#socketFrames}.
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

    /**
     * Limits the length of a record. A longer line is a bad record; a longer frame ends the job, because the peer most
     * likely does not send frames.
     *
     * @param bytes from 1 to 1 GiB; 16 MiB by default
     * @throws IllegalArgumentException if it is out of range
     */
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
