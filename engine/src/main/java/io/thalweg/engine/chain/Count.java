// SPDX-License-Identifier: Apache-2.0
package io.thalweg.engine.chain;

/** Counts what passes; stands only if the number of records may change before it. */
public final class Count implements Receiver {
    private final Receiver next;
    private final Passed passed;

    /** How many passed; read and set to zero once a turn. */
    public static final class Passed {
        public long records;
    }

    public Count(Receiver next, Passed passed) {
        this.next = next;
        this.passed = passed;
    }

    @Override
    public void accept(Object value) throws Exception {
        passed.records++;
        next.accept(value);
    }
}
