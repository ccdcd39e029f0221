// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A key of which a task holds rows. */
final class KeyRows {
    /** The key, as MessagePack. */
    final byte[] key;

    /** What the job keeps of it now. */
    final byte @Nullable [] kept;

    /**
     * The state after all rows that were answered, as Python has packed it, after the time at which it expires, if it does; null for none. Written by the thread that reads answers,
     * before it completes a row of the key; no two do so at a time.
     */
    byte @Nullable [] state;

    /** With the lock of the exchange: those that no process has yet. */
    final ArrayDeque<Call> waiting = new ArrayDeque<>();

    /** With the lock of the exchange: rows are in a batch that was taken and not answered. */
    boolean underWay;

    /** Of the task's thread: rows that are not handed on. */
    int held;

    KeyRows(byte[] key, byte @Nullable [] kept) {
        this.key = key;
        this.kept = kept;
        state = kept;
    }
}
