// SPDX-License-Identifier: Apache-2.0
package io.thalweg.avro;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.SinkContext;
import io.thalweg.api.connector.SinkWriter;
import io.thalweg.columnar.Declarations;
import io.thalweg.columnar.Writing;
import io.thalweg.files.output.OutputFiles;

/** Writes records to Avro files. Made by {@link Avro#write}. */
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
        SchemaMaker.of(Declarations.of(record), writing); // a record that cannot be written is told here
    }

    static <R> AvroSink<R> of(String path, Class<R> record) {
        if (path.equals("-") || path.endsWith(".gz")) {
            throw new IllegalArgumentException(
                    "cannot write Avro to " + (path.equals("-") ? "standard output" : path)
                            + ": it is binary, and compressed inside; give a file such as out.avro, or a directory such as out/");
        }
        return new AvroSink<>(new OutputFiles(path, ".avro"), record, Writing.defaults(), BlockCodec.SNAPPY);
    }

    /** How blocks are packed; snappy unless told. */
    public AvroSink<R> codec(BlockCodec packing) {
        return new AvroSink<>(files, record, writing, packing);
    }

    /** Times in nanoseconds instead of microseconds, from 1677 to 2262; a LocalTime as a text. */
    public AvroSink<R> nanoseconds() {
        return new AvroSink<>(files, record, writing.nanoseconds(), codec);
    }

    /**
     * The fields of all BigDecimals; 38 digits, 18 of them after the point, unless told. A number that does not fit makes the
     * record bad.
     */
    public AvroSink<R> decimals(int digits, int behindThePoint) {
        return new AvroSink<>(files, record, writing.decimals(digits, behindThePoint), codec);
    }

    @Override
    public String name() {
        return files.name();
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
