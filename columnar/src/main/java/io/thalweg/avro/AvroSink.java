// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.avro.binding.SchemaMaker;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.Writing;
import io.thalweg.files.output.OutputFiles;
import java.util.List;

/**
 * Writes records to Avro files. A file appears under its name when it is complete. Immutable: each method returns another sink.
 * Made by {@link Avro#write}.
 *
 * @param <R> records
 */
public final class AvroSink<R> implements Sink<R> {
    private static final long serialVersionUID = 1L;

    private final OutputFiles files;
    private final Class<R> record;
    private final Writing writing;
    private final BlockCodec codec;

    private AvroSink(OutputFiles files, Class<R> record, Writing writing, BlockCodec codec) {
        this.files = files;
        this.record = record;
        this.writing = writing;
        this.codec = codec;
        SchemaMaker.of(Declarations.of(record), writing); // a class that cannot be written fails here
    }

    static <R> AvroSink<R> of(String path, Class<R> record) {
        if (path.equals("-") || path.endsWith(".gz")) {
            throw new IllegalArgumentException(
                    "cannot write Avro to " + (path.equals("-") ? "standard output" : path)
                            + ": it is binary, and compressed inside; give a file such as out.avro, or a directory such as out/");
        }
        return new AvroSink<>(new OutputFiles(path, ".avro"), record, Writing.defaults(), BlockCodec.SNAPPY);
    }

    /** Sets how blocks are compressed; Snappy by default. */
    public AvroSink<R> codec(BlockCodec packing) {
        return new AvroSink<>(files, record, writing, packing);
    }

    /**
     * Writes times in nanoseconds instead of microseconds. Only times of the years 1677 to 2262 fit; others make the
     * record bad. A
     * LocalTime is written as text, because Avro has no type for it.
     */
    public AvroSink<R> nanoseconds() {
        return new AvroSink<>(files, record, writing.nanoseconds(), codec);
    }

    /**
     * Sets the precision and scale of all BigDecimal fields: 38 digits, 18 of them after the point, by default. A
     * number that does not fit makes the record bad.
     *
     * @param digits precision, 1 to 38
     * @param behindThePoint scale, 0 to {@code digits}
     * @throws IllegalArgumentException if one of them is out of range
     */
    public AvroSink<R> decimals(int digits, int behindThePoint) {
        return new AvroSink<>(files, record, writing.decimals(digits, behindThePoint), codec);
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
        return files.open(context, new AvroFormat<>(Declarations.of(record), writing, codec));
    }
}
