// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

/** A small record that its source fills anew for each poll. */
public final class Point {
    public long value;
}
