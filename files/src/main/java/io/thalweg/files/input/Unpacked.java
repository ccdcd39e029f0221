// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.IOException;
import java.io.InputStream;

/** The bytes that a gzip file holds. */
abstract class Unpacked extends InputStream {
    /** So many bytes, at most those of a block, can be read without waiting for a thread that inflates. */
    boolean has(int bytes) {
        return true;
    }

    /** Of what was read, the last member says how long it is, as in a bgzip file, and is not the empty one that ends such a file. */
    abstract boolean lacksEnd();

    @Override
    public abstract int read(byte[] bytes, int from, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }
}
