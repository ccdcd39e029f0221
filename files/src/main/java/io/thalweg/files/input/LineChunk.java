// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

/**
 * A piece of an input, cut behind a line feed; the last of an input may end without, and so may one that ends within a line that
 * is too long.
 *
 * @param from in the bytes
 * @param to in the bytes, of which at least seven more may be looked at
 * @param base offset in the input of the first of the bytes
 * @param passing where the line that is too long begins within which this begins; -1 if this begins with a line
 * @param open it ends within a line that is too long
 */
record LineChunk(byte[] bytes, int from, int to, long base, long passing, boolean open) {
    long begin() {
        return base + from;
    }

    long end() {
        return base + to;
    }

    boolean endsLine() {
        return bytes[to - 1] == '\n';
    }
}
