// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How messages look on the pipes. One thread at a time writes, and one reads. */
interface Framing {
    /** Writes all, and flushes. */
    void write(List<ToChild> messages) throws IOException;

    /**
     * Waits for messages; null at the end.
     *
     * @throws MalformedException if what comes is none
     */
    @Nullable List<FromChild> read() throws IOException;

    /** Whether several messages travel together. */
    boolean packed();

    /** Whether tuples travel as record batches, and a spout's acks together. */
    boolean columns();

    /** What came from a child is no message. The child has to be ended. */
    final class MalformedException extends IOException {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message);
        }

        static MalformedException tooDeep() {
            return new MalformedException("it sent lists or maps within others that are nested too deep to be read");
        }
    }
}
