// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A mutable double with a count: the accumulator of sums and means of doubles. Not thread-safe. */
public final class DoubleCell {
    /** The sum so far. */
    public double value;

    /** The number of values that were added. */
    public long count;
}
