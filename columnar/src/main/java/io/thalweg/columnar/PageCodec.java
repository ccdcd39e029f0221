// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.thalweg.api.connector.ConnectorException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.xerial.snappy.Snappy;

/** How the pages of a Parquet file are compressed. */
public enum PageCodec {
    /** Not compressed. */
    NONE {
        @Override
        byte[] packed(byte[] bytes) {
            return bytes;
        }

        @Override
        byte[] open(byte[] packed, int length) {
            return packed;
        }
    },

    /** Snappy. */
    SNAPPY {
        @Override
        byte[] packed(byte[] bytes) throws IOException {
            return Snappy.compress(bytes);
        }

        @Override
        byte[] open(byte[] packed, int length) throws IOException {
            int declared = Snappy.uncompressedLength(packed);
            byte[] bytes = new byte[declared == length ? length : 0];
            return declared == length && Snappy.uncompress(packed, 0, packed.length, bytes, 0) == length
                    ? bytes
                    : new byte[length == 0 ? 1 : 0];
        }
    },

    /** Gzip. */
    GZIP {
        @Override
        byte[] packed(byte[] bytes) throws IOException {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(bytes);
            }
            return packed.toByteArray();
        }

        @Override
        byte[] open(byte[] packed, int length) throws IOException {
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
                return in.readNBytes(length + 1);
            }
        }
    },

    /** Zstandard. */
    ZSTD {
        @Override
        byte[] packed(byte[] bytes) {
            return Zstd.compress(bytes);
        }

        @Override
        byte[] open(byte[] packed, int length) throws IOException {
            try {
                return Zstd.decompress(packed, length);
            } catch (ZstdException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    };

    /**
     * Compresses bytes.
     *
     * @return the compressed bytes; the same array if nothing is compressed
     * @throws ConnectorException if the library for it cannot be loaded
     */
    public byte[] pack(byte[] bytes) throws IOException {
        try {
            return packed(bytes);
        } catch (LinkageError e) {
            throw new ConnectorException(notLoaded(name()), e);
        }
    }

    abstract byte[] packed(byte[] bytes) throws IOException;

    /** What is to be said where a library cannot be loaded. */
    public static String notLoaded(String codec) {
        return "the library for " + codec.toLowerCase(Locale.ROOT) + " cannot be loaded; it is extracted into "
                + System.getProperty("java.io.tmpdir") + ", which must not be mounted noexec";
    }

    abstract byte[] open(byte[] packed, int length) throws IOException;

    /**
     * Decompresses bytes. Never allocates much more than {@code length}, whatever the compressed bytes claim.
     *
     * @param packed the compressed bytes
     * @param length of the result, in bytes
     * @throws IOException if the bytes are corrupt, or the result has another length
     */
    public byte[] unpack(byte[] packed, int length) throws IOException {
        byte[] bytes;
        try {
            bytes = open(packed, length);
        } catch (LinkageError e) {
            throw new IOException(notLoaded(name()), e);
        }
        if (bytes.length != length) {
            throw new IOException("it does not decompress to the expected " + length + " bytes");
        }
        return bytes;
    }
}
