// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.Source;
import io.thalweg.avro.Avro;
import io.thalweg.parquet.Parquet;
import io.thalweg.testkit.contract.SourceContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What others wrote: in one split and in several, in one block and in several, with bad records between. */
@ParameterizedClass(name = "{0}")
@MethodSource("inputs")
final class SourceContractsTest extends SourceContract<Object> {
    record Wanted(long id, Double value) {}

    record Input(String name, Source<?> source, List<?> records) {
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
                                        Parquet.read(Others.file(name + ".parquet"), Others.Flat.class),
                                        Others.flat()),
                                new Input(
                                        name + " with bad records",
                                        Parquet.read(Others.file(name + ".parquet"), Wanted.class),
                                        good))),
                Stream.of(
                        new Input("avro", Avro.read(Others.file("flat-snappy.avro"), Others.Flat.class), Others.flat()),
                        new Input(
                                "avro with bad records",
                                Avro.read(Others.file("flat-null.avro"), Wanted.class),
                                good)));
    }

    @Parameter
    Input input;

    @Override
    protected Source<?> source() {
        return input.source();
    }

    @Override
    protected List<?> records() {
        return input.records();
    }
}
