// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import io.thalweg.api.connector.Sink;
import io.thalweg.files.SinkContractsTest.Output;
import io.thalweg.testkit.contract.CheckpointedSinkContract;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Each format into one file, packed, and into a directory of parts, killed at any moment. */
@ParameterizedClass(name = "{0}")
@MethodSource("outputs")
final class CheckpointedSinksTest extends CheckpointedSinkContract<Object> {
    static Stream<Output> outputs() {
        return SinkContractsTest.outputs();
    }

    @Parameter
    Output output;

    @Override
    @SuppressWarnings("unchecked") // it writes the records that stand beside it
    protected Sink<Object> sinkIn(Path folder) {
        return (Sink<Object>) output.sink().apply(folder + "/" + output.name());
    }

    @Override
    protected List<?> records() {
        return output.records();
    }

    @Override
    protected List<?> writtenIn(Path folder) throws Exception {
        return Reading.all(output.source().apply(folder + "/" + output.name()), new FakeContext());
    }
}
