// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * How far the records of a spout's task are acked without a gap, kept in a file for the spout that takes over if the process is killed:
 * as a spout of Kafka commits offsets. One thread uses it.
 */
final class Progress {
    private static final int MOST_DONE = 1 << 16;

    private final Path file;
    private final long intervalNs;
    private final BitSet acked = new BitSet();
    private long base;
    private int done;
    private long writtenNs = System.nanoTime();

    /** Continues what the file holds; from the start if there is none. */
    Progress(Path file, long intervalMs) {
        this.file = file;
        this.intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
        try {
            base = Files.exists(file) ? Long.parseLong(Files.readString(file)) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** All before are acked. */
    long position() {
        return base + done;
    }

    /** Takes note that a record is acked, by its place among those of the task. */
    void acked(long place) {
        if (place >= base) {
            acked.set((int) (place - base));
        }
        done = acked.nextClearBit(done);
        if (done > MOST_DONE) {
            base += done;
            BitSet rest = acked.get(done, acked.length());
            acked.clear();
            acked.or(rest);
            done = 0;
        }
    }

    /** Writes how far it is, if it has not for an interval. */
    void writeNowAndThen() {
        long now = System.nanoTime();
        if (now - writtenNs < intervalNs) {
            return;
        }
        writtenNs = now;
        try {
            Path next = Files.writeString(file.resolveSibling(file.getFileName() + "-next"), Long.toString(position()));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
