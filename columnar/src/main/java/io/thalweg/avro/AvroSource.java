// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.avro.binding.AvroProjection;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.files.input.InputFiles;
import java.io.IOException;
import java.util.List;

/**
 * Records from Avro files. Replayable, except for standard input and pipes. Immutable: each method returns another
 * source. Made by {@link Avro#read}.
 *
 * @param <R> records
 */
public final class AvroSource<R> implements Source<R> {
    private static final long serialVersionUID = 1L;

    private static final int DEFAULT_MAX_BLOCK_BYTES = 64 << 20;

    private final InputFiles files;
    private final Class<R> record;
    private final int maxBlockBytes;

    private AvroSource(InputFiles files, Class<R> record, int maxBlockBytes) {
        this.files = files;
        this.record = record;
        this.maxBlockBytes = maxBlockBytes;
    }

    static <R> AvroSource<R> of(String path, Class<R> record) {
        Declarations.of(record); // a class that cannot be read fails here, not later in a task
        return new AvroSource<>(new InputFiles(path), record, DEFAULT_MAX_BLOCK_BYTES);
    }

    /**
     * Limits the size of a block, compressed or not; a larger one ends the job. Most blocks have 16 to 64 KiB. A task
     * keeps one block
     * in memory for every split that it reads.
     *
     * @param bytes 64 MiB by default
     * @throws IllegalArgumentException if it is not positive, or {@link Integer#MAX_VALUE}
     */
    public AvroSource<R> maxBlockBytes(int bytes) {
        if (bytes < 1 || bytes == Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a block of " + bytes + " bytes");
        }
        return new AvroSource<>(files, record, bytes);
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public Type<R> type() {
        return Type.of(record);
    }

    /**
     * Compares the schema of each file with the record class, so that a mismatch ends the job at its start; pipes are
     * checked later.
     */
    @Override
    public List<String> splits(int parallelism) throws IOException {
        List<String> splits = files.splits();
        if (!files.blocking()) {
            for (String split : splits) {
                try (AvroFile file = AvroFile.open(split, maxBlockBytes, false)) {
                    projection(file, new RecordProblems());
                }
            }
        }
        return splits;
    }

    @Override
    public void checkSplits(List<String> splits) {
        files.check(splits);
    }

    private AvroProjection.Field projection(AvroFile file, RecordProblems problems) {
        try {
            return AvroProjection.of(file.schema(), Declarations.of(record), problems);
        } catch (SchemaMismatch e) {
            throw new ConnectorException("cannot read " + file.name() + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw file.unreadable("", e);
        }
    }

    @Override
    public SplitReader<R> open(String split, SourceContext context) throws IOException {
        AvroFile file = AvroFile.open(split, maxBlockBytes, context.checkpoints());
        RecordProblems problems = new RecordProblems();
        AvroProjection.Field projection;
        try {
            projection = projection(file, problems);
        } catch (ConnectorException e) {
            file.close();
            throw e;
        }
        return new AvroRows<>(file, projection, problems, record, context);
    }

    @Override
    public boolean replayable() {
        return !files.blocking();
    }

    @Override
    public boolean blocking() {
        return files.blocking();
    }

    @Override
    public List<String> readOnce() {
        return files.readOnce();
    }

    @Override
    public boolean reads(WriteTarget place) {
        return files.reads(place);
    }
}
