// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.avro.Avro;
import io.thalweg.parquet.Parquet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where each format is written to. */
record Formats(String name, Function<String, Sink<Place>> sink, Function<String, Source<Place>> source) {
    record Place(String name, int height) {}

    static final List<Place> PLACES = List.of(
            new Place("", 0),
            new Place("a, \"b\"", -1),
            new Place("🙂\n", 1),
            new Place("c", 1),
            new Place("d", 7),
            new Place("d", 8),
            new Place("d", 9),
            new Place("e", 0),
            new Place("e", 1),
            new Place("f", 1),
            new Place("g", 1),
            new Place("h", 1));

    static Stream<Formats> all() {
        return Stream.of(parquet("/"), parquet(""), avro("/"), avro(""));
    }

    /** A single Parquet file is refused in a job that takes checkpoints. */
    static Stream<Formats> checkpointed() {
        return Stream.of(parquet("/"), avro("/"), avro(""));
    }

    private static Formats parquet(String end) {
        return new Formats(
                "out.parquet" + end,
                path -> Parquet.write(path, Place.class).rowGroupBytes(1),
                path -> Parquet.read(path, Place.class));
    }

    private static Formats avro(String end) {
        return new Formats(
                "out.avro" + end, path -> Avro.write(path, Place.class), path -> Avro.read(path, Place.class));
    }

    String path(Path folder) {
        return folder + "/" + name;
    }

    /** What is there; null if there is no file. */
    @Nullable List<Place> read(Path folder) throws Exception {
        Path path = Path.of(path(folder));
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.noneMatch(each -> !each.getFileName().toString().startsWith("."))) {
                    return null;
                }
            }
        }
        return Files.exists(path) ? new FakeContext().all(source.apply(path.toString())) : null;
    }

    @Override
    public String toString() {
        return name;
    }
}
