// SPDX-License-Identifier: Apache-2.0
package io.thalweg.workloads.telecom;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.SourceContext;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPOutputStream;

/**
 * Writes what a telecom source of lines would give to a file, in the same order and malformed lines included. The file is
 * compressed where its name ends in {@code .gz}, and appears under its name when it is whole.
 */
public final class TelecomFile {
    private static final int BUFFER_BYTES = 1 << 16;

    private TelecomFile() {}

    /** A line of JSON for each record. */
    public static void writeJson(Path path, TelecomSettings settings) {
        write(path, settings, LineFormat.JSON);
    }

    /** A line of CSV for each record, below a header. */
    public static void writeCsv(Path path, TelecomSettings settings) {
        write(path, settings, LineFormat.CSV);
    }

    private static void write(Path path, TelecomSettings settings, LineFormat format) {
        if (settings.endless()) {
            throw new IllegalArgumentException("a file needs an end: say how many records");
        }
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try {
            Path folder = path.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (OutputStream out = open(part, path.toString().endsWith(".gz"))) {
                if (format == LineFormat.CSV) {
                    out.write(LineBuffer.ascii(String.join(",", LineFormat.fieldNames()) + "\n"));
                }
                writeLines(settings.withRatePerSecond(0).withSplits(1), format, out);
            }
            Files.move(part, path, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new ConnectorException("cannot write " + path + ": " + e, e);
        }
    }

    private static OutputStream open(Path path, boolean compressed) throws IOException {
        OutputStream file = Files.newOutputStream(path);
        return new BufferedOutputStream(compressed ? new GZIPOutputStream(file, BUFFER_BYTES) : file, BUFFER_BYTES);
    }

    private static void writeLines(TelecomSettings settings, LineFormat format, OutputStream out) throws IOException {
        TelecomReader.Renderer<byte[]> renderer = TelecomReader.lines(new TelecomGenerator(settings.size()), format);
        TelecomReader<byte[]> reader = new TelecomReader<>(settings, 0, "file", renderer, new Unused());
        byte[] line = reader.poll();
        while (line != null) {
            out.write(line);
            out.write('\n');
            line = reader.poll();
        }
    }

    /** Lines at no rate ask for nothing. */
    private static final class Unused implements SourceContext {
        @Override
        public void bad(BadRecord record) {
            throw new IllegalStateException(record.describe());
        }

        @Override
        public long nowNs() {
            throw new IllegalStateException("no rate is kept");
        }
    }
}
