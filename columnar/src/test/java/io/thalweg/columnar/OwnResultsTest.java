// SPDX-License-Identifier: Apache-2.0
package io.thalweg.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Parquet and Avro read and write, as {@code Csv} and the others. */
final class OwnResultsTest {
    private final Topology topology = Topology.named("again");

    @TempDir
    Path folder;

    @ParameterizedTest
    @MethodSource("io.thalweg.columnar.Formats#all")
    void shouldNotBeReadByTheJobThatWritesThem(Formats format) throws Exception {
        String path = format.path(folder);
        String read = path;
        if (path.endsWith("/")) {
            Files.createDirectory(Path.of(path));
            read = path + "*";
        }
        topology.from(format.source().apply(read)).to(format.sink().apply(path));
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(topology::graph)
                .withMessageContaining("so that the job would read its own results");
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.columnar.Formats#all")
    void shouldNotBeWrittenByTwoSinks(Formats format) {
        Stream<Formats.Place> places = topology.from(format.source().apply(folder + "/in"));
        places.to(format.sink().apply(format.path(folder))).name("one");
        places.to(format.sink().apply(folder + "/./" + format.name())).name("two");
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(topology::graph)
                .withMessageContaining("operator 'two': it writes to ")
                .withMessageContaining("and operator 'one' to ");
    }

    @ParameterizedTest
    @MethodSource("io.thalweg.columnar.Formats#all")
    void shouldBeWrittenBesideWhatIsRead(Formats format) {
        topology.from(format.source().apply(folder + "/in")).to(format.sink().apply(format.path(folder)));
        assertThat(topology.graph().nodes()).hasSize(2);
    }
}
