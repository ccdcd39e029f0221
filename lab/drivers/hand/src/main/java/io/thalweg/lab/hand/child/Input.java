// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.hand.child;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** What a child writes, in a buffer as large as its largest message. */
final class Input {
    private static final int CAPACITY = 1 << 16;

    /** From {@link #at} to {@link #end} is what was read and not taken yet. */
    byte[] bytes = new byte[CAPACITY];

    int at;
    int end;
    private final InputStream from;

    Input(InputStream from) {
        this.from = from;
    }

    /** Waits until there is more. What is there may move in the buffer. @return false at the end */
    boolean more() throws IOException {
        if (at > 0) {
            System.arraycopy(bytes, at, bytes, 0, end - at);
            end -= at;
            at = 0;
        }
        if (end == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        int read = from.read(bytes, end, bytes.length - end);
        end += Math.max(0, read);
        return read >= 0;
    }

    /** Waits until so many bytes are there. @return false at the end */
    boolean has(int count) throws IOException {
        while (end - at < count) {
            if (!more()) {
                return false;
            }
        }
        return true;
    }
}
