// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.Source;
import io.thalweg.avro.Avro;
import io.thalweg.parquet.Parquet;
import io.thalweg.testkit.contract.SourceContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What others wrote: in one split and in several, in one block and in several, with bad records between. */
@ParameterizedClass(name = "{0}")
@MethodSource("inputs")
final class SourceContractsTest extends SourceContract<Object> {
    record Wanted(long id, Double value) {}

    record Input(String name, String file, Function<String, Source<?>> reading, List<?> records) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Input> inputs() {
        List<Wanted> good = Others.flat().stream()
                .filter(each -> each.value() != null)
                .map(each -> new Wanted(each.id(), each.value()))
                .toList();
        return Stream.concat(
                Stream.of("flat-zstd-v2", "flat-groups")
                        .flatMap(name -> Stream.of(
                                new Input(
                                        name,
                                        name + ".parquet",
                                        path -> Parquet.read(path, Others.Flat.class),
                                        Others.flat()),
                                new Input(
                                        name + " with bad records",
                                        name + ".parquet",
                                        path -> Parquet.read(path, Wanted.class),
                                        good))),
                Stream.of(
                        new Input(
                                "avro", "flat-snappy.avro", path -> Avro.read(path, Others.Flat.class), Others.flat()),
                        new Input(
                                "avro with bad records",
                                "flat-null.avro",
                                path -> Avro.read(path, Wanted.class),
                                good)));
    }

    @Parameter
    Input input;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve(input.file());
    }

    @Override
    protected Source<?> source() throws IOException {
        Files.copy(Path.of(Others.file(input.file())), file(), StandardCopyOption.REPLACE_EXISTING);
        return input.reading().apply(file().toString());
    }

    @Override
    protected List<?> records() {
        return input.records();
    }

    @Override
    protected boolean change(Change how) throws IOException {
        byte[] bytes = Files.readAllBytes(file());
        Path other = directory.resolve(".other");
        switch (how) {
            case TRUNCATED -> Files.write(other, Arrays.copyOf(bytes, bytes.length / 2));
            case REPLACED -> {
                String another = input.file().endsWith(".avro") ? "flat-deflate.avro" : "flat-gzip-v1.parquet";
                Files.copy(Path.of(Others.file(another)), other);
            }
            case MOVED -> Files.write(other, bytes);
            case ROTATED, GROWN -> {
                return false; // a file of this kind has one beginning, and what is added is added as a block
            }
        }
        Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);
        return true;
    }
}
