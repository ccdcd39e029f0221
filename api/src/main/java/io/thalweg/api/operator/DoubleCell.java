// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A double that changes, and how many values went into it. */
public final class DoubleCell {
    public double value;
    public long count;
}
