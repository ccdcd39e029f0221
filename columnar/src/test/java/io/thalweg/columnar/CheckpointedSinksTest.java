// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import io.thalweg.api.connector.Sink;
import io.thalweg.columnar.Formats.Place;
import io.thalweg.testkit.contract.CheckpointedSinkContract;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each format that can go on from a checkpoint, killed at any moment. */
@ParameterizedClass(name = "{0}")
@MethodSource("formats")
final class CheckpointedSinksTest extends CheckpointedSinkContract<Place> {
    static Stream<Formats> formats() {
        return Formats.checkpointed();
    }

    @Parameter
    Formats format;

    @Override
    protected Sink<Place> sinkIn(Path folder) {
        return format.sink().apply(format.path(folder));
    }

    @Override
    protected List<Place> records() {
        return Formats.PLACES;
    }

    @Override
    protected List<Place> writtenIn(Path folder) throws Exception {
        List<Place> read = format.read(folder);
        return read == null ? List.of() : read;
    }
}
