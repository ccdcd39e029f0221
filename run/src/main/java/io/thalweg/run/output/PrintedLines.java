// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run.output;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Stands in for standard output: adds each line that the job's own code prints to a digest, and shows nothing. Thread-safe. */
public final class PrintedLines extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final OutputDigests.Digest digest = new OutputDigests.Digest();

    @Override
    public synchronized void write(int value) {
        if (value == '\n') {
            end();
        } else {
            line.write(value);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            write(bytes[i]);
        }
    }

    private void end() {
        byte[] bytes = line.toByteArray();
        digest.add(bytes, bytes.length);
        line.reset();
    }

    /** What was printed until now, the last line too if it has no end. */
    public synchronized OutputDigests.Digest digest() {
        if (line.size() > 0) {
            end();
        }
        OutputDigests.Digest until = new OutputDigests.Digest(); // the job's threads may print on
        until.add(digest);
        return until;
    }
}
