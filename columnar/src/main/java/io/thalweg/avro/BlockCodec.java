// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import com.github.luben.zstd.ZstdInputStream;
import io.thalweg.columnar.PageCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.xerial.snappy.Snappy;

/** How the blocks of an Avro file are compressed. */
public enum BlockCodec {
    /** Not compressed. */
    NONE("null") {
        @Override
        byte[] pack(byte[] bytes) {
            return bytes;
        }

        @Override
        byte[] unpack(byte[] packed, int max) {
            return packed;
        }
    },

    /** Deflate. */
    DEFLATE("deflate") {
        @Override
        byte[] pack(byte[] bytes) throws IOException {
            Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(packed, deflater)) {
                out.write(bytes);
            } finally {
                deflater.end();
            }
            return packed.toByteArray();
        }

        @Override
        byte[] unpack(byte[] packed, int max) throws IOException {
            Inflater inflater = new Inflater(true);
            try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(packed), inflater)) {
                return bounded(in, max);
            } finally {
                inflater.end();
            }
        }
    },
    /** Snappy, with a checksum of the uncompressed bytes. */
    SNAPPY("snappy") {
        @Override
        byte[] pack(byte[] bytes) throws IOException {
            byte[] packed = PageCodec.SNAPPY.pack(bytes);
            return ByteBuffer.allocate(packed.length + Integer.BYTES)
                    .put(packed)
                    .putInt(checksum(bytes))
                    .array();
        }

        @Override
        byte[] unpack(byte[] packed, int max) throws IOException {
            if (packed.length < Integer.BYTES) {
                throw new IOException("a block has no checksum");
            }
            byte[] body = Arrays.copyOf(packed, packed.length - Integer.BYTES);
            int length = Snappy.uncompressedLength(body);
            checkLength(length, max);
            byte[] bytes = PageCodec.SNAPPY.unpack(body, length);
            if (ByteBuffer.wrap(packed).getInt(body.length) != checksum(bytes)) {
                throw new IOException("checksum mismatch in a block");
            }
            return bytes;
        }
    },

    /** Zstandard. */
    ZSTD("zstandard") {
        @Override
        byte[] pack(byte[] bytes) throws IOException {
            return PageCodec.ZSTD.pack(bytes);
        }

        @Override
        byte[] unpack(byte[] packed, int max) throws IOException {
            try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(packed))) {
                return bounded(in, max);
            }
        }
    };

    private final String inFiles;

    BlockCodec(String inFiles) {
        this.inFiles = inFiles;
    }

    /** Its name in the header of a file. */
    String inFiles() {
        return inFiles;
    }

    static BlockCodec named(String name) throws IOException {
        for (BlockCodec codec : values()) {
            if (codec.inFiles.equals(name)) {
                return codec;
            }
        }
        throw new IOException("it is compressed with " + name + "; only deflate, snappy and zstandard can be read");
    }

    abstract byte[] pack(byte[] bytes) throws IOException;

    /** @throws IOException if the block is damaged, or has more than {@code max} bytes */
    abstract byte[] unpack(byte[] packed, int max) throws IOException;

    private static byte[] bounded(InputStream in, int max) throws IOException {
        byte[] bytes = in.readNBytes(max + 1);
        checkLength(bytes.length, max);
        return bytes;
    }

    static void checkLength(long length, int max) throws IOException {
        if (length < 0 || length > max) {
            throw new IOException(
                    "a block has more bytes than the limit of " + max + ", or is damaged; see maxBlockBytes");
        }
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
