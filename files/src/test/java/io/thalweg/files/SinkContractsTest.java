// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.testkit.contract.SinkContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each format into one file, packed, and into a directory of parts. */
@ParameterizedClass(name = "{0}")
@MethodSource("outputs")
final class SinkContractsTest extends SinkContract<Object> {
    record Place(String name, int height) {}

    record Output(String name, Function<String, Sink<?>> sink, Function<String, Source<?>> source, List<?> records) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Output> outputs() {
        List<Place> places = new ArrayList<>(
                List.of(new Place("", 0), new Place("a, \"b\"", -1), new Place("🙂\n", 1), new Place("c", 1)));
        List<String> lines = new ArrayList<>(List.of("", "a", "🙂", "c"));
        for (int i = 0; i < 8; i++) {
            places.add(new Place("c", 2 + i));
            lines.add("c" + i);
        }
        return Stream.of("", ".gz", "/")
                .flatMap(end -> Stream.of(
                        new Output(
                                "out.jsonl" + end,
                                path -> JsonLines.write(path, Place.class),
                                path -> JsonLines.read(path, Place.class),
                                places),
                        new Output(
                                "out.csv" + end,
                                path -> Csv.write(path, Place.class),
                                path -> Csv.read(path, Place.class),
                                places),
                        new Output("out.txt" + end, TextLines::write, TextLines::read, lines)));
    }

    @Parameter
    Output output;

    @TempDir
    Path directory;

    @Override
    @SuppressWarnings("unchecked") // it writes the records that stand beside it
    protected Sink<Object> sink() {
        return (Sink<Object>) output.sink().apply(path());
    }

    @Override
    protected List<?> records() {
        return output.records();
    }

    @Override
    protected @Nullable List<?> written() throws Exception {
        Path path = Path.of(path());
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isEmpty()) {
                    return null;
                }
            }
        }
        return Files.exists(path) ? Reading.all(output.source().apply(path()), new FakeContext()) : null;
    }

    private String path() {
        return directory + "/" + output.name();
    }
}
