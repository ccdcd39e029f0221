// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files.input;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;

/**
 * The attributes of a file that tell, without reading it, whether it has changed.
 *
 * @param key inode and device; empty if the file system has none
 * @param bytes its size
 * @param modifiedNs 0 if it is not known
 */
public record FileAttributes(String key, long bytes, long modifiedNs) {
    /** The attributes of a file as they are now. */
    public static FileAttributes of(Path path) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return new FileAttributes(
                now.fileKey() == null ? "" : now.fileKey().toString(),
                now.size(),
                now.lastModifiedTime().to(TimeUnit.NANOSECONDS));
    }

    /** Reads what {@link #writeTo} wrote. */
    public static FileAttributes read(ByteReader in) {
        return new FileAttributes(in.readText(), in.readVarLong(), in.readVarLong());
    }

    /** Writes the attributes for a checkpoint. */
    public void writeTo(ByteWriter out) {
        out.writeText(key);
        out.writeVarLong(bytes);
        out.writeVarLong(modifiedNs);
    }

    boolean surelySame(FileAttributes now) {
        return !key.isEmpty() && modifiedNs != 0 && equals(now);
    }

    /** What a message adds if another file has the name now; empty if none has, or nobody knows. */
    public String replacedBy(FileAttributes now) {
        return key.isEmpty() || now.key.equals(key)
                ? ""
                : "; it is another file of that name, with key " + now.key + " instead of " + key;
    }
}
