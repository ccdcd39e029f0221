// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.api.codec.Type;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.SourceContext;
import io.thalweg.api.connector.SplitReader;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.RecordProblems;
import io.thalweg.columnar.SchemaMismatch;
import io.thalweg.files.input.InputFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records from Parquet files. Replayable. Immutable: each method returns another source. Made by {@link Parquet#read}.
 *
 * @param <R> records
 */
public final class ParquetSource<R> implements Source<R> {
    private static final long serialVersionUID = 1L;

    private static final int DEFAULT_MAX_PAGE_BYTES = 64 << 20;

    private final InputFiles files;
    private final Class<R> record;
    private final int maxPageBytes;

    /** Paths of files of which it was told that row groups are not read. */
    private final transient Set<String> told = ConcurrentHashMap.newKeySet();

    /** What files of several splits were when the first of these was opened, or made, by their paths. */
    private final transient Map<String, FooterFingerprint> begun = new ConcurrentHashMap<>();

    private ParquetSource(InputFiles files, Class<R> record, int maxPageBytes) {
        this.files = files;
        this.record = record;
        this.maxPageBytes = maxPageBytes;
    }

    static <R> ParquetSource<R> of(String path, Class<R> record) {
        Declarations.of(record); // a class that cannot be read fails here, not later in a task
        return new ParquetSource<>(new InputFiles(path), record, DEFAULT_MAX_PAGE_BYTES);
    }

    /**
     * Limits the size of a page; a larger one ends the job. Most pages have 1 MiB; each task keeps one page of each
     * column in memory, for every split that it reads.
     *
     * @param bytes 64 MiB by default
     * @throws IllegalArgumentException if it is not positive
     */
    public ParquetSource<R> maxPageBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a page of " + bytes + " bytes can hold nothing");
        }
        return new ParquetSource<>(files, record, bytes);
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public Type<R> type() {
        return Type.of(record);
    }

    /** Compares the schema of each file with the record class, so that a mismatch ends the job at its start. */
    @Override
    public List<String> splits(int parallelism) throws IOException {
        if (files.blocking()) {
            throw new ConnectorException("cannot read " + files.name()
                    + ": Parquet is read from its end, so it cannot come through a pipe; write it to a file first");
        }
        List<String> splits = new ArrayList<>();
        for (String path : files.splits()) {
            try (ParquetFile file = ParquetFile.open(path)) {
                check(file);
                List<String> names = ParquetSplit.names(file);
                splits.addAll(names);
                if (names.size() > 1) {
                    begun.put(path, file.fingerprint());
                }
            }
        }
        return splits;
    }

    @Override
    public void checkSplits(List<String> splits) {
        files.check(splits.stream().map(ParquetSplit::path).toList());
    }

    private void check(ParquetFile file) {
        try {
            Projection.of(file.schema(), Declarations.of(record), new RecordProblems(), made -> {});
        } catch (SchemaMismatch e) {
            throw new ConnectorException("cannot read " + file.path() + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            throw file.unreadable("", e);
        }
    }

    @Override
    public SplitReader<R> open(String split, SourceContext context) throws IOException {
        ParquetFile file = ParquetFile.open(ParquetSplit.path(split));
        try {
            check(file); // the file may have been replaced since the job started
        } catch (ConnectorException e) {
            file.close();
            throw e;
        }
        ParquetSplit range = ParquetSplit.of(split, file);
        FooterFingerprint first = range.isRange() ? begun.putIfAbsent(range.path(), file.fingerprint()) : null;
        String replaced = first == null ? null : first.changed(file.fingerprint());
        return new ParquetRows<>(range, file, Declarations.of(record), record, maxPageBytes, context, told, replaced);
    }

    private Object readResolve() {
        return new ParquetSource<>(files, record, maxPageBytes);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public boolean reads(WriteTarget place) {
        return files.reads(place);
    }
}
