// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;

/** What the fingerprints of this package begin with. */
final class Fingerprints {
    private Fingerprints() {}

    /** @throws ConnectorException if another version was written */
    static ByteReader begin(byte[] fingerprint, int version, String source) {
        ByteReader in = new ByteReader(fingerprint);
        long written = in.readVarLong();
        if (written != version) {
            throw new ConnectorException("the fingerprint of the " + source + " was saved in format version " + written
                    + ", but this Thalweg reads " + version);
        }
        return in;
    }
}
