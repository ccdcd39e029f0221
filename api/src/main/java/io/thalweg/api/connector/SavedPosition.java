// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * Where the reader of a split stood, as it is saved in a checkpoint.
 *
 * @param position as {@link SplitReader#position} gave it
 * @param fingerprint as {@link SplitReader#fingerprint} gave it
 */
public record SavedPosition(long position, byte[] fingerprint) {
    private static final int VERSION = 1;

    public static SavedPosition of(SplitReader<?> reader) throws Exception {
        return new SavedPosition(reader.position(), reader.fingerprint());
    }

    public void writeTo(ByteWriter out) {
        out.writeVarLong(VERSION);
        out.writeVarLong(position);
        out.writeBytes(fingerprint);
    }

    /** @throws ConnectorException if a newer Thalweg wrote it */
    public static SavedPosition read(ByteReader in) {
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the position of a split was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION);
        }
        return new SavedPosition(in.readVarLong(), in.readBytes());
    }

    /**
     * Leads a reader here, before its first poll.
     *
     * @param topology for messages, as operator and split
     * @param acceptChanged true to go on even if the input is not what it was
     * @return what has changed; null if nothing has
     * @throws ConnectorException if something has, and that is not accepted
     */
    public @Nullable String resume(
            SplitReader<?> reader, String topology, String operator, String split, boolean acceptChanged)
            throws Exception {
        String changed = fingerprint.length == 0 ? null : reader.changed(fingerprint);
        if (changed != null && !acceptChanged) {
            throw new ConnectorException("topology '" + topology + "', operator '" + operator + "', split " + split
                    + ": the input is not the one that was read before the checkpoint: " + changed
                    + "; restore the original input, continue with this one from the saved position with"
                    + " --accept-changed-input, or read it from the beginning with --discard-state '" + operator + "'");
        }
        reader.seek(position);
        return changed;
    }
}
