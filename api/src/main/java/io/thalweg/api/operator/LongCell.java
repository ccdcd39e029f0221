// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A mutable long: the accumulator of counts and sums. Not thread-safe. */
public final class LongCell {
    /** The count or sum so far. */
    public long value;

    /** Whether any value was added; maintained only by aggregates that need it. */
    public boolean present;
}
