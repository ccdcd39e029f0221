// SPDX-License-Identifier: Apache-2.0
package io.thalweg.micro;

/** An event of six dimensions and four measures. */
public record Measured(long time, int a, int b, int c, int d, int e, int f, long p, long q, long r, long s) {
    /** The dimensions alone. */
    public record Key(int a, int b, int c, int d, int e, int f) {}

    /** The sums over one window of one key. */
    public record Sums(long p, long q, long r, long s) {}

    Key key() {
        return new Key(a, b, c, d, e, f);
    }
}
