// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit;

import io.thalweg.run.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Ports for servers of tests that begin to listen later, or again: see {@link FreePorts}. */
public final class FreePort {
    private FreePort() {}

    /** A port of the loopback where nobody listens now; another one for each call. */
    public static int find() {
        try {
            return FreePorts.find(1)[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
