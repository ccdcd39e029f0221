// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

/** A small record that its source reuses for each poll. */
public final class Point {
    public long value;
}
