// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.api.connector.BadRecord;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.avro.binding.AvroProjection;
import io.thalweg.avro.binding.AvroReader;
import io.thalweg.columnar.RecordProblems;
import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Reads the records of a file. A position is the number of a record in the file, from 0. */
final class AvroRows<R> implements SplitReader<R> {
    /** After so many bad records the engine may look elsewhere. */
    private static final int RECORDS_A_POLL = 256;

    private final AvroFile file;
    private final Class<R> type;
    private final SourceContext context;
    private final RecordProblems record;
    private final AvroProjection.Field projection;
    private final AvroReader values;

    /** The block that is being read. */
    private @Nullable BinaryDecoder block;
    /** Records that are left in it. */
    private long left;
    /** The record that is read next. */
    private long next;

    private boolean finished;

    AvroRows(
            AvroFile file,
            AvroProjection.Field projection,
            RecordProblems record,
            Class<R> type,
            SourceContext context) {
        this.file = file;
        this.projection = projection;
        this.record = record;
        this.type = type;
        this.context = context;
        values = new AvroReader(file.schema(), projection.schema());
    }

    @Override
    public @Nullable R poll() {
        for (int i = 0; i < RECORDS_A_POLL; i++) {
            if (!advance()) {
                finished = true;
                return null;
            }
            record.begin();
            Object made = projection.making().make(read());
            String wrong = record.wrong();
            if (wrong == null) {
                return type.cast(made);
            }
            context.bad(new BadRecord(file.name(), 0, next - 1, wrong, new byte[0]));
        }
        return null;
    }

    /** False at the end. */
    private boolean advance() {
        try {
            while (left == 0) {
                checkConsumed();
                AvroFile.Block packed = file.next();
                if (packed == null) {
                    return false;
                }
                open(packed);
            }
            return true;
        } catch (IOException | RuntimeException e) {
            throw unreadable(e);
        }
    }

    private void open(AvroFile.Block packed) throws IOException {
        block = DecoderFactory.get().binaryDecoder(file.unpack(packed), null);
        left = packed.records();
    }

    private void checkConsumed() throws IOException {
        if (block != null && !block.isEnd()) {
            throw new IOException("it is damaged: a block has more bytes than its records");
        }
        block = null;
    }

    private Object read() {
        BinaryDecoder decoder = block;
        if (decoder == null) {
            throw new IllegalStateException("no block is open");
        }
        try {
            Object read = values.read(null, decoder);
            left--;
            next++;
            return read;
        } catch (IOException | RuntimeException | StackOverflowError e) {
            throw unreadable(e);
        }
    }

    private RuntimeException unreadable(Throwable e) {
        return file.unreadable(", record " + next, e);
    }

    @Override
    public boolean finished() {
        return finished;
    }

    @Override
    public long position() {
        return next;
    }

    @Override
    public long recordOffset() {
        return Math.max(0, next - 1);
    }

    /** Skips whole blocks without decompressing them, then records of the last one. */
    @Override
    public void seek(long position) {
        while (next < position && (left > 0 || passOver(position))) {
            read();
        }
    }

    /** Opens the block that holds the position; false if it lies between two blocks, or behind the last one. */
    private boolean passOver(long position) {
        try {
            while (next < position) {
                AvroFile.Block packed = file.next();
                if (packed == null) {
                    return false;
                }
                if (next + packed.records() > position) {
                    open(packed);
                    return true;
                }
                next += packed.records();
            }
            return false;
        } catch (IOException | RuntimeException e) {
            throw unreadable(e);
        }
    }

    @Override
    public byte[] fingerprint() throws IOException {
        return file.fingerprint();
    }

    @Override
    public @Nullable String changed(byte[] fingerprint) throws IOException {
        return file.changed(fingerprint);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
