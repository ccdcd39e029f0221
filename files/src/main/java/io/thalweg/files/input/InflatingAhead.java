// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.SourceContext;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the next block of a gzip file, in any thread of the engine, while the one before is read. The same bytes and the same
 * failure behind them as without. One thread at a time reads the file: the one that inflates.
 */
final class InflatingAhead extends Unpacked {
    private final GzipInput packed;
    private final SourceContext context;
    private final Runnable piece = this::runPiece;

    // The reader's.
    private byte[] block;
    private int at;
    private int end;

    // Who inflates has them until the block is ready, then the reader, until it takes the block.
    private byte[] next;
    private int nextBytes;
    private boolean last;
    private @Nullable Throwable failure;

    private volatile boolean ready;
    /** Guarded by this. */
    private boolean closed;

    InflatingAhead(GzipInput packed, SourceContext context, int blockBytes) {
        this.packed = packed;
        this.context = context;
        block = new byte[blockBytes];
        next = new byte[blockBytes];
        context.decode(piece);
    }

    @Override
    boolean has(int bytes) {
        return end - at >= bytes || ready;
    }

    @Override
    boolean lacksEnd() {
        return packed.lacksEnd();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (at == end && !turn()) {
            return -1;
        }
        int count = Math.min(length, end - at);
        System.arraycopy(block, at, bytes, from, count);
        at += count;
        return count;
    }

    /** Goes on to the next block; false if there is none. */
    private boolean turn() throws IOException {
        inflate(); // where nobody has begun with it
        if (nextBytes == 0) {
            rethrow();
            return false;
        }
        byte[] read = block;
        block = next;
        at = 0;
        end = nextBytes;
        next = read;
        nextBytes = 0;
        if (!last) {
            ready = false;
            context.decode(piece);
        }
        return true;
    }

    private void rethrow() throws IOException {
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unexpected) {
            throw unexpected;
        }
        if (failure instanceof IOException unreadable) {
            throw unreadable;
        }
    }

    private void runPiece() {
        inflate();
        context.wakeUp();
    }

    private synchronized void inflate() {
        if (ready || closed) {
            return;
        }
        try {
            while (!last && nextBytes < next.length) {
                int count = packed.read(next, nextBytes, next.length - nextBytes);
                nextBytes += Math.max(count, 0);
                last = count < 0;
            }
        } catch (IOException | RuntimeException | Error e) { // thrown to the reader when it comes here
            failure = e;
            last = true;
        }
        ready = true;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        packed.close();
    }
}
