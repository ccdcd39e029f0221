// SPDX-License-Identifier: Apache-2.0
package io.thalweg.parquet;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.PageCodec;
import io.thalweg.columnar.Writing;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/**
 * Writes records to Parquet files. A file appears under its name when it is complete. Immutable: each method returns
 * another sink.
 * Made by {@link Parquet#write}.
 *
 * @param <R> records
 */
public final class ParquetSink<R> implements Sink<R> {
    private static final long serialVersionUID = 1L;

    private static final long DEFAULT_ROW_GROUP_BYTES = 32 << 20;
    /** Its pages are copied into one array. */
    private static final long MOST_ROW_GROUP_BYTES = 1 << 30;

    private final OutputFiles files;
    private final Class<R> record;
    private final Writing writing;
    private final PageCodec packing;
    private final long rowGroupBytes;

    private ParquetSink(OutputFiles files, Class<R> record, Writing writing, PageCodec packing, long rowGroupBytes) {
        this.files = files;
        this.record = record;
        this.writing = writing;
        this.packing = packing;
        this.rowGroupBytes = rowGroupBytes;
    }

    static <R> ParquetSink<R> of(String path, Class<R> record) {
        SchemaWriter.schema(Declarations.of(record), Writing.defaults()); // a class that cannot be written fails here
        if (path.equals("-") || path.endsWith(".gz")) {
            throw new IllegalArgumentException(
                    "cannot write Parquet to " + (path.equals("-") ? "standard output" : path)
                            + ": it is read from its end, and compressed inside; give a file such as out.parquet, or a directory"
                            + " such as out/");
        }
        return new ParquetSink<>(
                new OutputFiles(path, ".parquet"),
                record,
                Writing.defaults(),
                PageCodec.SNAPPY,
                DEFAULT_ROW_GROUP_BYTES);
    }

    /** Sets how pages are compressed; Snappy by default. */
    public ParquetSink<R> codec(PageCodec codec) {
        return new ParquetSink<>(files, record, writing, codec, rowGroupBytes);
    }

    /**
     * Sets the size of a row group, which each task keeps in memory until it is written. Larger ones compress better
     * and are read
     * faster.
     *
     * @param bytes of its pages, estimated; 32 MiB by default, 1 GiB at most
     * @throws IllegalArgumentException if it is not positive, or too large
     */
    public ParquetSink<R> rowGroupBytes(long bytes) {
        if (bytes < 1 || bytes > MOST_ROW_GROUP_BYTES) {
            throw new IllegalArgumentException(
                    "rowGroupBytes must be from 1 to " + MOST_ROW_GROUP_BYTES + ", not " + bytes);
        }
        return new ParquetSink<>(files, record, writing, packing, bytes);
    }

    /**
     * Writes times in nanoseconds instead of microseconds. Only times of the years 1677 to 2262 fit; others make the
     * record bad. Not
     * all programs can read nanoseconds.
     */
    public ParquetSink<R> nanoseconds() {
        return new ParquetSink<>(files, record, writing.nanoseconds(), packing, rowGroupBytes);
    }

    /**
     * Sets the precision and scale of all BigDecimal columns: 38 digits, 18 of them after the point, by default. A
     * number that does not fit makes the record bad.
     *
     * @param digits precision, 1 to 38
     * @param behindThePoint scale, 0 to {@code digits}
     * @throws IllegalArgumentException if one of them is out of range
     */
    public ParquetSink<R> decimals(int digits, int behindThePoint) {
        return new ParquetSink<>(files, record, writing.decimals(digits, behindThePoint), packing, rowGroupBytes);
    }

    @Override
    public String name() {
        return files.name();
    }

    @Override
    public List<WriteTarget> writes() {
        return files.writes();
    }

    @Override
    public int requiredParallelism() {
        return files.requiredParallelism();
    }

    @Override
    public SinkWriter<R> open(SinkContext context) {
        return files.open(context, new ParquetFormat<>(Declarations.of(record), writing, packing, rowGroupBytes));
    }
}
