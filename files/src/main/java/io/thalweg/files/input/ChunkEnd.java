// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

/** A record continues where its chunk ends. */
final class ChunkEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ChunkEnd() {
        super("a record goes on where its chunk ends", null, false, false);
    }
}
