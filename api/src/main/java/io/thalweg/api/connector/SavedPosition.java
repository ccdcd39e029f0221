// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.connector;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * The position of a split's reader, as saved in a checkpoint.
 *
 * @param position as returned by {@link SplitReader#position}
 * @param fingerprint as returned by {@link SplitReader#fingerprint}
 */
public record SavedPosition(long position, byte[] fingerprint) {
    private static final int VERSION = 1;

    /** The current position and fingerprint of a reader. */
    public static SavedPosition of(SplitReader<?> reader) throws Exception {
        return new SavedPosition(reader.position(), reader.fingerprint());
    }

    /** Serializes the position, with a format version. */
    public void writeTo(ByteWriter out) {
        out.writeVarLong(VERSION);
        out.writeVarLong(position);
        out.writeBytes(fingerprint);
    }

    /**
     * Deserializes a position.
     *
     * @throws ConnectorException if a newer version of Thalweg wrote it
     */
    public static SavedPosition read(ByteReader in) {
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the position of a split was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION);
        }
        return new SavedPosition(in.readVarLong(), in.readBytes());
    }

    /**
     * Moves a reader to this position, before its first poll.
     *
     * @param reader of the same split
     * @param topology for messages, like operator and split
     * @param operator name of the source in the topology
     * @param split name of the split
     * @param acceptChanged true to continue even if the input has changed
     * @return what has changed; null if nothing has
     * @throws ConnectorException if the input has changed and that is not accepted
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
