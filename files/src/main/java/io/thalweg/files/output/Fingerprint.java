// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.output;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * By which a file is known again that a checkpoint counts on.
 *
 * @param key by which the system knows the file under any name; empty if it does not say. A copy has another one
 * @param length how many of its bytes count
 * @param sum CRC32C of those bytes
 */
record Fingerprint(String key, long length, long sum) {
    static String key(Path path) throws IOException {
        Object key = attributes(path).fileKey();
        return key == null ? "" : key.toString();
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * True if the path leads to something, be it a link that leads nowhere. {@link Files#exists} answers false, too, if the disk
     * fails to answer.
     */
    static boolean isThere(Path path, LinkOption... links) throws IOException {
        try {
            Files.readAttributes(path, BasicFileAttributes.class, links);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The file is there, under its own name and not as a link. */
    static boolean isFile(Path path) throws IOException {
        return isThere(path, LinkOption.NOFOLLOW_LINKS) && attributes(path).isRegularFile();
    }

    /** True if the file holds the bytes that count, and nothing behind them. */
    boolean isOf(Path path) throws IOException {
        return size(path) == length && Crc32c.ofFile(path, length) == sum;
    }

    /** True if the file begins with the bytes that count. */
    boolean begins(Path path) throws IOException {
        return size(path) >= length && Crc32c.ofFile(path, length) == sum;
    }

    /** As {@link #begins}, of a file whose name nobody else gives: with the same key it is not read, it may be large. */
    boolean beginsHidden(Path path) throws IOException {
        boolean same = !key.isEmpty() && isFile(path) && key.equals(key(path));
        return same ? size(path) >= length : begins(path);
    }

    private static long size(Path path) throws IOException {
        return isFile(path) ? attributes(path).size() : -1;
    }

    void writeTo(ByteWriter out) {
        out.writeText(key);
        out.writeVarLong(length);
        out.writeLong(sum);
    }

    static Fingerprint read(ByteReader in) {
        return new Fingerprint(in.readText(), in.readVarLong(), in.readLong());
    }
}
