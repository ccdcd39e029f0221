// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lines of bytes, as they are: each ends with a line feed, the last one at the end of the input at the latest. */
final class Lines {
    private final InputStream in;
    private final int longest;
    private long number;

    /** @param in buffered */
    Lines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /**
     * Without its end; null if there are no more.
     *
     * @throws IOException also if it is longer than allowed
     */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int each = in.read();
        if (each < 0) {
            return null;
        }
        number++;
        while (each >= 0 && each != '\n') {
            if (line.size() == longest) {
                throw new IOException("line " + number + " has more than " + longest + " bytes");
            }
            line.write(each);
            each = in.read();
        }
        return line.toByteArray();
    }

    /** Where it first is; -1 if it is nowhere. */
    static int indexOf(byte[] text, byte[] part) {
        for (int i = 0; i <= text.length - part.length; i++) {
            if (Arrays.equals(text, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        return -1;
    }
}
