// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.connector.SourceContext;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Inflates the members of a bgzip file several at a time, in any threads of the engine. The same bytes and the same failure behind
 * them as without: the first member that is not as BGZF has it, and all that follows, is left to a {@link GzipInput}, which begins
 * at that member as if it had read the ones before. Only the reader's thread reads the file until then.
 */
final class BgzfAhead extends Unpacked {
    private static final int PACKED_BYTES = 4 * BgzfMember.MOST_BYTES;

    /** So many blocks are cut ahead for each thread that inflates. */
    private static final int AHEAD_A_THREAD = 2;

    private final GzipInput begun;
    private final FileInputStream file;
    private final SourceContext context;
    private final int blockBytes;
    private final int mostAhead;

    // What was read of the file, and of which no block was made yet.
    private byte[] packed = {};
    private int packedAt;
    private int packedEnd;
    /** Offset in the file of the first of the packed bytes. */
    private long base;
    /** Offset of what the file gives next; -1 if it is not known. */
    private long fileAt = -1;

    private boolean fileEnded;

    /** In order, but for the current one. */
    private final ArrayDeque<Block> ahead = new ArrayDeque<>();

    private final ArrayDeque<byte[]> spare = new ArrayDeque<>();
    /** No more blocks follow those ahead; then comes the rest, from this offset in the file. */
    private boolean allAhead;

    private long restAt;
    private @Nullable InflatingAhead rest;

    // The current block.
    private byte[] block = {};
    private int at;
    private int end;

    /** How much is to be left out because it was read before. */
    private long passOver;

    private boolean lacksEnd;

    /** @param begun stands in a member of BGZF in this file; what follows is read here, it is only closed */
    BgzfAhead(GzipInput begun, FileInputStream file, SourceContext context, int blockBytes) {
        this.begun = begun;
        this.file = file;
        this.context = context;
        this.blockBytes = blockBytes;
        mostAhead = AHEAD_A_THREAD * context.decodingThreads();
        base = begun.memberAt();
        passOver = begun.memberBytes();
        readAhead();
    }

    /** False only if a block that somebody has yet to inflate is needed. */
    @Override
    boolean has(int bytes) {
        int found = end - at;
        for (Block each : ahead) {
            if (found >= bytes) {
                return true;
            }
            if (!each.done) {
                return false;
            }
            found += each.size;
        }
        return rest == null || rest.has(bytes - found);
    }

    @Override
    boolean lacksEnd() {
        return rest == null ? lacksEnd : rest.lacksEnd();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (at == end) {
            if (rest != null) {
                return rest.read(bytes, from, length);
            }
            turn();
        }
        int count = Math.min(length, end - at);
        System.arraycopy(block, at, bytes, from, count);
        at += count;
        return count;
    }

    /** Goes on to the next block, or to the rest. */
    private void turn() throws IOException {
        Block next = ahead.peek();
        if (next == null) {
            beginRest();
            return;
        }
        next.inflate(); // where nobody has begun with it
        next.rethrow();
        ahead.remove();
        if (block.length > 0) {
            spare.add(block);
        }
        block = next.bytes;
        end = next.size;
        at = (int) Math.min(passOver, end);
        passOver -= at;
        lacksEnd = next.inflatedTo > next.from ? next.lacksEnd : lacksEnd;
        if (next.inflatedTo < next.to) {
            drop(ahead);
            allAhead = true;
            restAt = next.base + next.inflatedTo;
        }
        readAhead();
    }

    private static void drop(ArrayDeque<Block> blocks) {
        for (Block each : blocks) {
            each.dropped = true;
        }
        blocks.clear();
    }

    private void beginRest() throws IOException {
        goTo(restAt);
        fileAt = -1;
        rest = new InflatingAhead(new GzipInput(file, lacksEnd), context, blockBytes);
        rest.skipNBytes(passOver);
    }

    private void readAhead() {
        while (!allAhead && ahead.size() < mostAhead) {
            Block next;
            try {
                next = cut();
            } catch (IOException e) {
                next = null; // the rest meets it again, behind all that was read before
            }
            if (next == null) {
                allAhead = true;
                restAt = base + packedAt;
            } else {
                ahead.add(next);
                context.decode(next);
            }
        }
    }

    /** Takes members of at most a block together, at least one; null if none follows. */
    private @Nullable Block cut() throws IOException {
        if (packedEnd - packedAt < BgzfMember.MOST_BYTES && !fileEnded) {
            fill();
        }
        int to = packedAt;
        int bytes = 0;
        BgzfMember next = BgzfMember.at(packed, to, packedEnd);
        while (next != null && (to == packedAt || bytes + next.bytes() <= blockBytes)) {
            to = next.to();
            bytes += next.bytes();
            next = BgzfMember.at(packed, to, packedEnd);
        }
        if (to == packedAt) {
            return null;
        }
        byte[] room = spare.poll();
        Block cut = new Block(packed, packedAt, to, base, room == null ? newRoom() : room);
        packedAt = to;
        return cut;
    }

    private byte[] newRoom() {
        return new byte[Math.max(blockBytes, BgzfMember.MOST_BYTES) + 1];
    }

    /** Reads on, into another array: blocks have parts of this one. */
    private void fill() throws IOException {
        byte[] more = new byte[PACKED_BYTES];
        int left = packedEnd - packedAt;
        System.arraycopy(packed, packedAt, more, 0, left);
        packed = more;
        base += packedAt;
        packedAt = 0;
        packedEnd = left;
        long from = base + left;
        goTo(from);
        fileAt = -1;
        int count = file.readNBytes(more, left, more.length - left);
        fileAt = from + count;
        packedEnd += count;
        fileEnded = packedEnd < more.length;
    }

    private void goTo(long offset) throws IOException {
        if (fileAt != offset) {
            file.getChannel().position(offset);
        }
    }

    @Override
    public void close() throws IOException {
        drop(ahead);
        try {
            if (rest != null) {
                rest.close(); // waits for who reads the file
            }
        } finally {
            begun.close();
        }
    }

    /** Members that one thread inflates. */
    private final class Block implements Runnable {
        final byte[] packed;
        final int from;
        final int to;
        /** Offset in the file of the first of the packed bytes. */
        final long base;

        // Of who inflates until it is done, then the reader's.
        final byte[] bytes;
        int size;
        /** Where this is not the end, the member that begins here is not as BGZF has it. */
        int inflatedTo;

        boolean lacksEnd;
        private @Nullable Throwable failure;
        volatile boolean done;
        volatile boolean dropped;

        Block(byte[] packed, int from, int to, long base, byte[] bytes) {
            this.packed = packed;
            this.from = from;
            this.to = to;
            this.base = base;
            this.bytes = bytes;
            inflatedTo = from;
        }

        @Override
        public void run() {
            inflate();
            context.wakeUp();
        }

        synchronized void inflate() {
            if (done || dropped) {
                return;
            }
            try {
                inflateMembers();
            } catch (RuntimeException | Error e) { // thrown to the reader when it comes here
                failure = e;
            }
            done = true;
        }

        private void inflateMembers() {
            Inflater inflater = new Inflater(true);
            try {
                while (inflatedTo < to) {
                    BgzfMember member = BgzfMember.at(packed, inflatedTo, to);
                    if (member == null || !member.inflate(inflater, packed, bytes, size)) {
                        return;
                    }
                    size += member.bytes();
                    lacksEnd = member.bytes() > 0;
                    inflatedTo = member.to();
                }
            } finally {
                inflater.end();
            }
        }

        void rethrow() {
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException unexpected) {
                throw unexpected;
            }
        }
    }
}
