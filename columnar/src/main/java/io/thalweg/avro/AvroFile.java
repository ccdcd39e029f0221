// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.columnar.PageCodec;
import io.thalweg.files.input.ByteInput;
import io.thalweg.files.input.CheckedInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** An open file: its schema, and its blocks one after the other. */
final class AvroFile implements AutoCloseable {
    static final byte[] MAGIC = {'O', 'b', 'j', 1};
    static final int SYNC_BYTES = 16;
    private static final int MAX_HEADER_BYTES = 16 << 20;

    private final CheckedInput in;
    private final Schema schema;
    private final BlockCodec codec;
    private final byte[] sync;
    private final int maxBlockBytes;

    private AvroFile(CheckedInput in, int maxBlockBytes) throws IOException {
        this.in = in;
        this.maxBlockBytes = maxBlockBytes;
        byte[] magic = in.readNBytes(MAGIC.length);
        if (magic.length == 0) {
            throw new IOException("it is empty; an Avro file without records has a schema");
        }
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException("it is not an Avro file: it does not begin with 'Obj' and 1");
        }
        Map<String, byte[]> metadata = metadata();
        byte[] text = metadata.get("avro.schema");
        if (text == null) {
            throw new IOException("it is damaged: it has no schema");
        }
        schema = new Schema.Parser(NameValidator.NO_VALIDATION)
                .setValidateDefaults(false)
                .parse(new String(text, StandardCharsets.UTF_8));
        byte[] packing = metadata.get("avro.codec");
        codec = packing == null ? BlockCodec.NONE : BlockCodec.named(new String(packing, StandardCharsets.UTF_8));
        sync = bytes(SYNC_BYTES);
    }

    /** @param fingerprints true if {@link #fingerprint} will be called */
    static AvroFile open(String split, int maxBlockBytes, boolean fingerprints) {
        CheckedInput in = CheckedInput.open(split, fingerprints);
        try {
            return new AvroFile(in, maxBlockBytes);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            ConnectorException reported = refusal(in.name(), e);
            try {
                in.close();
            } catch (IOException closing) {
                reported.addSuppressed(closing);
            }
            throw reported;
        }
    }

    private Map<String, byte[]> metadata() throws IOException {
        Map<String, byte[]> metadata = new HashMap<>();
        long left = MAX_HEADER_BYTES;
        for (long count = number(); count != 0; count = number()) {
            if (count < 0) {
                number(); // their length in bytes
            }
            for (long i = 0; i < Math.abs(count); i++) {
                byte[] key = headerBytes(left);
                byte[] value = headerBytes(left - key.length);
                left -= key.length + value.length + 2;
                metadata.put(new String(key, StandardCharsets.UTF_8), value);
            }
        }
        return metadata;
    }

    private byte[] headerBytes(long left) throws IOException {
        long length = number();
        if (length < 0 || length > left) {
            throw new IOException("it is damaged: its header is longer than " + MAX_HEADER_BYTES + " bytes");
        }
        return bytes((int) length);
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("it is truncated");
        }
        return bytes;
    }

    private long number() throws IOException {
        int first = in.read();
        if (first < 0) {
            throw new EOFException("it is truncated");
        }
        return number(first);
    }

    private long number(int first) throws IOException {
        long bits = first & 0x7f;
        int next = first;
        for (int shift = 7; (next & 0x80) != 0; shift += 7) {
            next = in.read();
            if (next < 0) {
                throw new EOFException("it is truncated");
            }
            if (shift >= Long.SIZE) {
                throw new IOException("it is damaged: a number has more than ten bytes");
            }
            bits |= (long) (next & 0x7f) << shift;
        }
        return bits >>> 1 ^ -(bits & 1);
    }

    String name() {
        return in.name();
    }

    Schema schema() {
        return schema;
    }

    /** A block that is still compressed. */
    record Block(long records, byte[] packed) {}

    /** Null at the end. */
    @Nullable Block next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        long records = number(first);
        long length = number();
        BlockCodec.checkLength(length, maxBlockBytes);
        byte[] packed = bytes((int) length);
        if (records < 0 || !Arrays.equals(sync, bytes(SYNC_BYTES))) {
            throw new IOException("it is damaged: a block does not end with the sync marker");
        }
        return new Block(records, packed);
    }

    byte[] unpack(Block block) throws IOException {
        try {
            return codec.unpack(block.packed, maxBlockBytes);
        } catch (LinkageError e) {
            throw new IOException(PageCodec.notLoaded(codec.name()), e);
        }
    }

    /** The fingerprint of what was read, up to the end of the last block. */
    byte[] fingerprint() throws IOException {
        return in.fingerprint();
    }

    @Nullable String changed(byte[] fingerprint) throws IOException {
        return in.changed(fingerprint);
    }

    ConnectorException unreadable(String where, Throwable e) {
        return refusal(in.name() + where, e);
    }

    private static ConnectorException refusal(String what, Throwable e) {
        if (e instanceof ConnectorException reported) {
            return reported;
        }
        String reason = e instanceof IOException io
                ? ByteInput.reason(io)
                : "it is damaged: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        return new ConnectorException(
                "cannot read " + what + ": "
                        + String.valueOf(reason).lines().findFirst().orElse(""),
                e);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
