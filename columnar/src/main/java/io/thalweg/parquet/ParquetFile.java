// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.files.input.ByteInput;
import io.thalweg.files.input.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** An open file: its footer, and its bytes. What is wrong with it is a {@link ConnectorException} that names it. */
final class ParquetFile implements AutoCloseable {
    private static final int MAGIC_BYTES = 4;
    /** The length of the footer, and the magic word. */
    private static final int TAIL_BYTES = 8;

    private static final int MAX_FOOTER_BYTES = 256 << 20;

    private final String path;
    private final FileChannel channel;
    private final FooterFingerprint fingerprint;
    private final FileMetaData footer;
    private final MessageType schema;

    private ParquetFile(
            String path, FileChannel channel, FooterFingerprint fingerprint, FileMetaData footer, MessageType schema) {
        this.path = path;
        this.channel = channel;
        this.fingerprint = fingerprint;
        this.footer = footer;
        this.schema = schema;
    }

    static ParquetFile open(String path) {
        FileChannel channel = null;
        try {
            channel = FileChannel.open(Path.of(path));
            FileAttributes outside = FileAttributes.of(Path.of(path));
            byte[] bytes = footer(channel);
            FileMetaData footer = Headers.footer(bytes);
            MessageType schema = SchemaReader.read(footer.getSchema());
            FooterFingerprint fingerprint =
                    FooterFingerprint.of(bytes, outside, footer.getRow_groups().size());
            ParquetFile file = new ParquetFile(path, channel, fingerprint, footer, schema);
            file.check();
            return file;
        } catch (IOException | RuntimeException e) {
            ConnectorException reported = e instanceof ConnectorException as ? as : refusal(path, e);
            close(channel, reported);
            throw reported;
        }
    }

    private static void close(@Nullable FileChannel channel, Exception because) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    private static byte[] footer(FileChannel channel) throws IOException {
        long size = channel.size();
        if (size == 0) {
            throw new IOException("it is empty; a Parquet file without rows has a footer");
        }
        if (size < MAGIC_BYTES + TAIL_BYTES || !magic(channel, 0).startsWith("PAR")) {
            throw new IOException("it is not a Parquet file: it does not begin with 'PAR1'");
        }
        String last = magic(channel, size - MAGIC_BYTES);
        if (last.equals("PARE")) {
            throw new IOException("it is encrypted, and encrypted files cannot be read");
        }
        if (!last.equals("PAR1")) {
            throw new IOException("it is truncated: it does not end with 'PAR1'");
        }
        int length = read(channel, size - TAIL_BYTES, MAGIC_BYTES).getInt();
        if (length < 0 || length > size - MAGIC_BYTES - TAIL_BYTES || length > MAX_FOOTER_BYTES) {
            throw new IOException("it is damaged: its footer cannot have " + length + " bytes");
        }
        return read(channel, size - TAIL_BYTES - length, length).array();
    }

    private static String magic(FileChannel channel, long position) throws IOException {
        return new String(read(channel, position, MAGIC_BYTES).array(), StandardCharsets.ISO_8859_1);
    }

    private static ByteBuffer read(FileChannel channel, long position, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, position + bytes.position()) < 0) {
                throw new IOException("it is truncated");
            }
        }
        return bytes.flip();
    }

    /** Counts that the footer holds twice must agree; otherwise rows would be invented or lost. */
    private void check() throws IOException {
        long rows = 0;
        for (RowGroup group : footer.getRow_groups()) {
            if (group.getNum_rows() < 0) {
                throw new IOException("it is damaged: a row group has " + group.getNum_rows() + " rows");
            }
            rows = Math.addExact(rows, group.getNum_rows());
        }
        if (rows != footer.getNum_rows()) {
            throw new IOException(
                    "it is damaged: its footer counts " + footer.getNum_rows() + " rows, its row groups " + rows);
        }
    }

    String path() {
        return path;
    }

    FooterFingerprint fingerprint() {
        return fingerprint;
    }

    MessageType schema() {
        return schema;
    }

    /** Null if it does not say. */
    @Nullable String createdBy() {
        return footer.getCreated_by();
    }

    int rowGroups() {
        return footer.getRow_groups().size();
    }

    RowGroup rowGroup(int index) {
        return footer.getRow_groups().get(index);
    }

    /** Null if the row group has no such column. */
    static @Nullable ColumnChunk chunk(RowGroup group, List<String> column) {
        for (ColumnChunk chunk : group.getColumns()) {
            if (chunk.isSetMeta_data()
                    && chunk.getMeta_data().getPath_in_schema().equals(column)) {
                return chunk;
            }
        }
        return null;
    }

    /** The bytes between two positions. */
    ByteRange range(long from, long length) throws IOException {
        if (from < MAGIC_BYTES || length < 0 || from > channel.size() - length) {
            throw new IOException("it is damaged: a column should have " + length + " bytes at " + from
                    + ", beyond the end of the file");
        }
        return new ByteRange(channel, from, from + length);
    }

    ConnectorException unreadable(String where, Exception e) {
        return e instanceof ConnectorException reported ? reported : refusal(path + where, e);
    }

    private static ConnectorException refusal(String what, Exception e) {
        Throwable cause = cause(e);
        String reason = e instanceof IOException io
                ? ByteInput.reason(io)
                : cause instanceof ColumnException column ? column.getMessage() : "it is damaged: " + text(cause);
        return new ConnectorException(
                "cannot read " + what + ": "
                        + String.valueOf(reason).lines().findFirst().orElse(""),
                e);
    }

    private static Throwable cause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The message of an exception, or the name of its class: the library's exceptions often have no message. */
    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
