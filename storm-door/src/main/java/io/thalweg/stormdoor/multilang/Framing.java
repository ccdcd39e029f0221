// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor.multilang;

import io.thalweg.python.text.HalfPairException;
import io.thalweg.python.text.Utf8;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How messages look on the pipes. One thread at a time writes, and one reads. */
interface Framing {
    /**
     * Writes all, and flushes.
     *
     * @return tuples that were left out, since they have text that cannot be written; mostly none
     */
    List<Refused> write(List<ToChild> messages) throws IOException;

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

    /**
     * A tuple that cannot be written.
     *
     * @param id its number
     * @param reason a line that names where it comes from, and its field
     */
    record Refused(long id, String reason) {
        static Refused of(long id, String component, String stream, List<?> values, HalfPairException problem) {
            String shown = Utf8.escaped(JsonFraming.shown(values.toString()));
            return new Refused(
                    id,
                    "the tuple " + shown + " of '" + component + "', stream '" + stream
                            + "', cannot be sent to a child, and fails: " + problem.getMessage());
        }
    }

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
