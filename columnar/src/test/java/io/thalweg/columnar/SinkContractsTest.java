// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.Sink;
import io.thalweg.columnar.Formats.Place;
import io.thalweg.testkit.contract.SinkContract;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each format into one file, and into a directory of parts. */
@ParameterizedClass(name = "{0}")
@MethodSource("formats")
final class SinkContractsTest extends SinkContract<Place> {
    static Stream<Formats> formats() {
        return Formats.all();
    }

    @Parameter
    Formats format;

    @TempDir
    Path directory;

    @Override
    protected Sink<Place> sink() {
        return format.sink().apply(format.path(directory));
    }

    @Override
    protected List<Place> records() {
        return Formats.PLACES;
    }

    @Override
    protected @Nullable List<Place> written() throws Exception {
        return format.read(directory);
    }
}
