// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A long that changes: the accumulator of counts and sums. */
public final class LongCell {
    public long value;

    /** Whether any value went into it; kept only by aggregates that ask. */
    public boolean present;
}
