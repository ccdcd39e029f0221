// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a child writes. One thread reads it. While that thread is busy, another one may set aside what has come, so that the child, whose
 * pipe is full, can go on.
 */
final class ChildOutput extends InputStream {
    /** So much is set aside at most. */
    private static final int MOST = 1 << 26;

    private final InputStream input;
    private final ReentrantLock turn = new ReentrantLock();

    // Guarded by the lock.
    private final ArrayDeque<byte[]> aside = new ArrayDeque<>();

    /** Read of the first of them. */
    private int at;

    private int kept;

    ChildOutput(InputStream input) {
        this.input = input;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        turn.lock();
        try {
            byte[] first = aside.peek();
            if (first == null) {
                return input.read(into, from, length);
            }
            int copied = Math.min(length, first.length - at);
            System.arraycopy(first, at, into, from, copied);
            at += copied;
            kept -= copied;
            if (at == first.length) {
                aside.remove();
                at = 0;
            }
            return copied;
        } finally {
            turn.unlock();
        }
    }

    /** Keeps what is there for the reader; false if there is nothing, enough is kept, or the reader reads. */
    boolean setAside() throws IOException {
        if (!turn.tryLock()) {
            return false;
        }
        try {
            int there = Math.min(input.available(), MOST - kept);
            if (there <= 0) {
                return false;
            }
            aside.add(input.readNBytes(there));
            kept += there;
            return true;
        } finally {
            turn.unlock();
        }
    }
}
