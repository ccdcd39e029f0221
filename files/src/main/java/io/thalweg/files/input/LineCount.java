// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Counts lines again after a restart in the middle of a file, for a message; so seeking itself stays fast. */
final class LineCount {
    private LineCount() {}

    /** Line ends in the first bytes of an input, which is closed then. */
    static long before(ByteInput from, long position) {
        byte[] buffer = new byte[64 * 1024];
        long count = 0;
        long left = position;
        try (ByteInput input = from) {
            while (left > 0) {
                int length = input.read(buffer, 0, (int) Math.min(left, buffer.length));
                if (length < 0) {
                    break;
                }
                for (int i = 0; i < length; i++) {
                    count += buffer[i] == '\n' ? 1 : 0;
                }
                left -= length;
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
