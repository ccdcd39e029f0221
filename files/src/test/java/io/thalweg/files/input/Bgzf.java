// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Makes bgzip files, as the section on BGZF in the specification of SAM describes them. */
public final class Bgzf {
    /** The empty member that ends a file, as the specification has it. */
    static final byte[] END = HexFormat.of().parseHex("1f8b08040000000000ff0600424302001b0003000000000000000000");

    private Bgzf() {}

    /** A whole file, of members of at most so many bytes, some of them empty. */
    public static byte[] file(byte[] bytes, int most, Random random) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        int at = 0;
        while (at < bytes.length) {
            int to = Math.min(bytes.length, at + random.nextInt(most + 1));
            file.writeBytes(member(Arrays.copyOfRange(bytes, at, to)));
            at = to;
        }
        file.writeBytes(END);
        return file.toByteArray();
    }

    static byte[] member(byte[] bytes) {
        return member(bytes, new byte[0]);
    }

    /** @param field an extra field of another's, before that of BGZF */
    static byte[] member(byte[] bytes, byte[] field) {
        byte[] deflated = deflate(bytes);
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        int extra = field.length + 6;
        int length = 12 + extra + deflated.length + 8;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(
                new byte[] {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 0xff, (byte) extra, (byte) (extra >> 8)});
        out.writeBytes(field);
        out.writeBytes(new byte[] {'B', 'C', 2, 0, (byte) (length - 1), (byte) ((length - 1) >> 8)});
        out.writeBytes(deflated);
        for (long number : new long[] {checksum.getValue(), bytes.length}) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.write((int) (number >> shift));
            }
        }
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] bytes) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        deflater.setInput(bytes);
        deflater.finish();
        byte[] room = new byte[bytes.length + 1_000];
        int length = deflater.deflate(room);
        deflater.end();
        return Arrays.copyOf(room, length);
    }

    static byte[] joined(List<byte[]> parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        parts.forEach(joined::writeBytes);
        return joined.toByteArray();
    }
}
