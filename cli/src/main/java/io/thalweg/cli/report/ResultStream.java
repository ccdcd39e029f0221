// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.report;

import java.io.IOException;
import java.io.OutputStream;

/** Standard output while progress is shown on the same terminal: results come above it, whole lines only. */
final class ResultStream extends OutputStream {
    private final OutputStream out;
    private final LiveLines live;
    private volatile boolean insideLine;

    ResultStream(OutputStream out, LiveLines live) {
        this.out = out;
        this.live = live;
    }

    /** True if the last line has not ended: progress would be taken for a part of it. */
    boolean isInsideLine() {
        return insideLine;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return;
        }
        synchronized (live) {
            live.clear();
            insideLine = bytes[offset + length - 1] != '\n';
            out.write(bytes, offset, length);
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }
}
