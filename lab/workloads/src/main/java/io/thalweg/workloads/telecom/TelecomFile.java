// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * Keeps the lines of a telecom source in a file, malformed ones included, so that a later run or another program can read
 * them. The file is compressed where its name ends in {@code .gz}, and appears under its name when it is whole.
 */
public final class TelecomFile implements Sink<byte[]> {
    private static final long serialVersionUID = 1L;

    private static final int BUFFER_BYTES = 1 << 16;

    private final String path;
    private final String header;

    private TelecomFile(String path, String header) {
        this.path = path;
        this.header = header;
    }

    /** A line of JSON for each record. */
    public static TelecomFile json(Path path) {
        return new TelecomFile(path.toString(), "");
    }

    /** A line of CSV for each record, below a header. */
    public static TelecomFile csv(Path path) {
        return new TelecomFile(path.toString(), String.join(",", LineFormat.fieldNames()) + "\n");
    }

    @Override
    public String name() {
        return path;
    }

    @Override
    public int requiredParallelism() {
        return 1;
    }

    @Override
    public SinkWriter<byte[]> open(SinkContext context) {
        try {
            return new Writer(Path.of(path), header);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + e, e);
        }
    }

    private static final class Writer implements SinkWriter<byte[]> {
        private final Path path;
        private final Path part;
        private final OutputStream out;

        Writer(Path path, String header) throws IOException {
            this.path = path;
            part = path.resolveSibling(path.getFileName() + ".part");
            OutputStream file = Files.newOutputStream(part);
            boolean compressed = path.toString().endsWith(".gz");
            out = new BufferedOutputStream(compressed ? new GZIPOutputStream(file, BUFFER_BYTES) : file, BUFFER_BYTES);
            out.write(LineBuffer.ascii(header));
        }

        @Override
        public void write(byte[] line) throws IOException {
            out.write(line);
            out.write('\n');
        }

        @Override
        public void finish() throws IOException {
            out.close();
            Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
        }

        @Override
        public void close() throws IOException {
            out.close();
            Files.deleteIfExists(part);
        }
    }
}
