// SPDX-License-Identifier: Apache-2.0
package io.thalweg.python;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.python.arrow.Columns;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;

/**
 * The messages between the processes: a magic number, the number of bytes, and a MessagePack array whose first element is the kind; or
 * another magic number, the number of bytes, the number of a batch, and a record batch of Arrow.
 */
final class Message {
    static final int VERSION = 4;

    /** From Java. */
    static final int HELLO = 0;

    /** From Java. */
    static final int CALL = 1;

    /** From Python. */
    static final int READY = 0;

    /** From Python. */
    static final int RESULTS = 1;

    /** From Python: the function cannot be loaded, or not be closed. */
    static final int FAILED = 2;

    /** From Python, after the end of its input: the function is closed. */
    static final int CLOSED = 3;

    private static final int MAGIC = 0x54484C57;
    private static final int ARROW_MAGIC = 0x54484C41;

    /** Larger ones are read bit by bit, so that a length that is wrong takes no memory. */
    private static final int LARGE = 16 << 20;

    private Message() {}

    /** Writes part of a message. */
    interface Content {
        void pack(MessagePacker out) throws IOException;
    }

    static byte[] bytes(Content content) throws IOException {
        try (MessageBufferPacker packer = Packing.packer()) {
            content.pack(packer);
            return packer.toByteArray();
        }
    }

    /** Writes a message that has been packed, in two parts. */
    static void write(OutputStream out, byte[] begin, byte[] rest) throws IOException {
        out.write(ByteBuffer.allocate(8)
                .putInt(MAGIC)
                .putInt(begin.length + rest.length)
                .array());
        out.write(begin);
        out.write(rest);
        out.flush();
    }

    /** Writes a record batch. */
    static void write(OutputStream out, long number, Columns.Message batch) throws IOException {
        long length = Long.BYTES + batch.length();
        if (length != (int) length) {
            throw new ConnectorException("a batch has " + length + " bytes, more than a message may have");
        }
        out.write(ByteBuffer.allocate(16)
                .putInt(ARROW_MAGIC)
                .putInt((int) length)
                .putLong(number)
                .array());
        batch.writeTo(out);
        out.flush();
    }

    /**
     * A message from Python.
     *
     * @param arrow whether it is a record batch, behind its number
     */
    record Received(boolean arrow, byte[] bytes) {}

    /**
     * The next message, without its kind being looked at; null at the end of input.
     *
     * @throws ConnectorException if what comes is no message
     */
    static @Nullable Received read(DataInputStream in) throws IOException {
        int magic;
        int size;
        try {
            magic = in.readInt();
            size = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        if ((magic != MAGIC && magic != ARROW_MAGIC) || size < 0) {
            throw new ConnectorException("what came from Python is no message: something else wrote to its output");
        }
        byte[] bytes = size < LARGE ? new byte[size] : in.readNBytes(size);
        int read = size < LARGE ? in.readNBytes(bytes, 0, size) : bytes.length;
        return read < size ? null : new Received(magic == ARROW_MAGIC, bytes);
    }
}
