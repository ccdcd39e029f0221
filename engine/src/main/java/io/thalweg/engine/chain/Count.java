// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** Counts the records that pass. Used only where their number may differ from that of the input. */
public final class Count implements Receiver {
    private final Receiver next;
    private final Passed passed;

    /** The counter; read and reset once a turn. */
    public static final class Passed {
        public long records;
    }

    public record Parts(Receiver next, Passed passed) implements Specialiser.Parts<Receiver> {
        @Override
        public Class<Count> type() {
            return Count.class;
        }
    }

    Count(Parts parts) {
        next = parts.next();
        passed = parts.passed();
    }

    @Override
    public void accept(Object value) throws Exception {
        passed.records++;
        next.accept(value);
    }
}
