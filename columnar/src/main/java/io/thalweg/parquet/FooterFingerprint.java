// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.FileAttributes;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a checkpoint knows of a Parquet file. The footer says where each page is, how long it is and, as most programs write it,
 * which values it has at least and at most; the pages themselves are not compared.
 *
 * @param footer checksum of the footer's bytes
 * @param file which file it was and how it looked from outside
 * @param rowGroups how many it had; {@link #UNKNOWN} if a version that did not save that wrote it
 */
record FooterFingerprint(int footer, FileAttributes file, int rowGroups) {
    static final int UNKNOWN = -1;

    /**
     * Differs from the versions of other formats, so that a source of another format does not take the fingerprint for
     * its own.
     */
    private static final int VERSION = 101;

    static FooterFingerprint of(byte[] footer, FileAttributes file, int rowGroups) {
        CRC32C checksum = new CRC32C();
        checksum.update(footer);
        return new FooterFingerprint((int) checksum.getValue(), file, rowGroups);
    }

    byte[] toBytes() {
        ByteWriter out = new ByteWriter(128);
        out.writeVarLong(VERSION);
        out.writeVarLong(footer);
        file.writeTo(out);
        out.writeVarLong(rowGroups);
        return out.toByteArray();
    }

    /** @throws ConnectorException if another version, or another source, wrote it */
    static FooterFingerprint read(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        long version = in.readVarLong();
        if (version != VERSION) {
            throw new ConnectorException("the fingerprint of a Parquet file was saved in format version " + version
                    + ", but this Thalweg reads " + VERSION
                    + "; if the source read files of another format before, give the operator another name");
        }
        int footer = (int) in.readVarLong();
        FileAttributes file = FileAttributes.read(in);
        return new FooterFingerprint(footer, file, in.remaining() > 0 ? (int) in.readVarLong() : UNKNOWN);
    }

    /** What is different in a file now, in words; null if it has the same size and footer. */
    @Nullable String changed(FooterFingerprint now) {
        if (now.file.bytes() != file.bytes()) {
            return "it had " + file.bytes() + " bytes, and it has " + now.file.bytes() + file.replacedBy(now.file);
        }
        return now.footer == footer
                ? null
                : "its footer has changed (CRC-32C " + Integer.toHexString(now.footer) + ", not "
                        + Integer.toHexString(footer) + ")" + file.replacedBy(now.file);
    }
}
