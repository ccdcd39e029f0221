// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * Passes a number of records, in one task. Then sources that no other sink needs stop, as determined by {@link Demand}.
 *
 * @param records at least 0
 */
public record Limit(long records) implements Inner, Unkeyed {
    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Limit {
        if (records < 0) {
            throw new IllegalArgumentException("a limit must be at least 0 records, not " + records);
        }
    }

    @Override
    public int inputs() {
        return 1;
    }

    /** How many have passed. */
    @Override
    public boolean stateful() {
        return true;
    }

    @Override
    public Cardinality cardinality() {
        return Cardinality.AT_MOST_ONE;
    }

    @Override
    public Timing timing() {
        return Timing.PASSES_ON;
    }

    @Override
    public long watermarkStep() {
        return 0;
    }

    @Override
    public boolean passesInputOn() {
        return true;
    }

    @Override
    public boolean wantsNoMore() {
        return true;
    }

    @Override
    public String describe() {
        return specification() + ", of those that come first" + NOT_DETERMINISTIC;
    }

    @Override
    public String specification() {
        return "limit " + records;
    }

    @Override
    public <R> R accept(NodeVisitor<R> visitor) {
        return visitor.limit(this);
    }
}
