// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.Sources;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two sinks of one topology that lead to one place are refused, however the place is spelled. */
final class SameOutputTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makePlaces() throws Exception {
        Files.createDirectories(folder.resolve("real/parts"));
        Files.writeString(folder.resolve("real/there.txt"), "old\n");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
        Files.createSymbolicLink(folder.resolve("there"), folder.resolve("real/there.txt"));
        Files.createSymbolicLink(folder.resolve("coming"), Path.of("link/coming.txt"));
    }

    private Topology writing(String first, String second) {
        Topology topology = Topology.named("two");
        topology.from(Sources.of("a", "b"))
                .to(TextLines.write(folder + "/" + first))
                .name("one");
        topology.from(Sources.of("c", "d"))
                .to(TextLines.write(folder + "/" + second))
                .name("other");
        return topology;
    }

    @ParameterizedTest
    @CsvSource({
        "out.txt, out.txt",
        "out.txt, ./out.txt",
        "out.txt, real/../out.txt",
        "real/there.txt, there",
        "real/new.txt, link/new.txt",
        "real/coming.txt, coming",
        "link/../real/new.txt, real/new.txt",
        "real/parts/, link/parts",
        "real/parts, real/parts/",
        "not/yet/there/, not/yet/../yet/there/",
        "real/parts/, real/parts/part-00000.txt",
        "link/parts/part-00001.txt, real/parts/",
        "real/parts/, real/parts/.hidden"
    })
    void shouldBeRefused(String first, String second) {
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> writing(first, second).graph())
                .withMessageContaining("'one'")
                .withMessageContaining("'other'")
                .withMessageContaining(folder.getFileName().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "a.txt, b.txt",
        "real/parts/, real/others/",
        "real/parts/, real/parts/summary.txt",
        "real/new.txt, new.txt"
    })
    void shouldBeAllowed_ifThePlacesDiffer(String first, String second) {
        assertThat(writing(first, second).graph().nodes()).hasSize(4);
    }

    @Test
    void shouldLetTwoSinksPrintToStandardOutput() {
        Topology topology = Topology.named("two");
        topology.from(Sources.of("a", "b")).to(TextLines.write("-"));
        topology.from(Sources.of("c", "d")).to(TextLines.write("-"));
        assertThat(topology.graph().nodes()).hasSize(4);
    }
}
