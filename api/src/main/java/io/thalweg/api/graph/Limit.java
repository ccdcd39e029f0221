// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

/**
 * Lets so many records pass, in one task. When they have passed, sources that lead to nothing else end, as {@link Demand} says.
 *
 * @param records at least 0
 */
public record Limit(long records) implements Inner, Unkeyed {
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
