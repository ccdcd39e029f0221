// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.Sink;
import io.thalweg.api.connector.Source;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.connector.WriteTarget;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.topology.Topology;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Topologies that read what they write are refused, however the place is spelled; others are not. */
final class OwnResultsTest {
    record Row(String name) {}

    @TempDir
    Path folder;

    /**
     * Files with two names each are {@code in/a.csv}, by a symbolic and by a hard link; folders {@code in}, and {@code other}, to
     * which a link in {@code in} leads.
     */
    @BeforeEach
    void makePlaces() throws Exception {
        Files.createDirectories(folder.resolve("in/sub"));
        Files.createDirectories(folder.resolve("other"));
        for (String name : List.of("in/a.csv", "in/b.csv", "in/sub/c.csv", "other/d.csv")) {
            Files.writeString(folder.resolve(name), "name\nInn\n");
        }
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("in"));
        Files.createSymbolicLink(folder.resolve("soft.csv"), folder.resolve("in/a.csv"));
        Files.createSymbolicLink(folder.resolve("in/linked"), folder.resolve("other"));
        Files.createLink(folder.resolve("hard.csv"), folder.resolve("in/a.csv"));
    }

    private String at(String path) {
        return folder + "/" + path;
    }

    private static <T> Topology topology(Source<T> source, Sink<T> sink) {
        Topology topology = Topology.named("again");
        topology.from(source).name("rows").to(sink).name("out");
        return topology;
    }

    private static Sink<String> sink(String path) {
        return Csv.<String>write(path).column("name", line -> line);
    }

    @ParameterizedTest
    @CsvSource({
        // a file
        "in/a.csv, in/a.csv",
        "in/a.csv, in/./sub/../a.csv",
        "in/sub/../a.csv, in/a.csv",
        "in/a.csv, link/a.csv",
        "link/a.csv, in/a.csv",
        "in/a.csv, soft.csv",
        "soft.csv, in/a.csv",
        "in/a.csv, hard.csv",
        "hard.csv, in/a.csv",
        "in/part-00007.csv, in/",
        // a folder
        "in, in/a.csv",
        "in/, in/new.csv",
        "in, link/new.csv",
        "link, in/new.csv",
        "in, soft.csv",
        "in, hard.csv",
        "in, in/",
        "in, in",
        "in, link/",
        // a glob
        "in/*.csv, in/a.csv",
        "in/*.csv, in/new.csv",
        "in/*.csv, link/new.csv",
        "link/*.csv, in/new.csv",
        "in/a*, soft.csv",
        "in/a*, hard.csv",
        "in/*.csv, in/",
        "in/part-0000[3-7].csv, in/",
        "in/part-00003-*.csv, in/",
        "in/*/new.csv, in/sub/new.csv",
        "in/*/new.csv, other/new.csv",
        "in/*/*.csv, other/",
        "in/**/*.csv, in/new.csv",
        "in/**/*.csv, in/sub/new.csv",
        "in/**/*.csv, in/not/yet/there/new.csv",
        "in/**/*.csv, in/not/yet/there/",
        "link/**/*.csv, in/sub/new.csv",
        "link/**/*.csv, in/not/yet/there/new.csv",
        "'{in,other}/*.csv', other/new.csv",
        "in/.n*, in/.new.csv"
    })
    void shouldBeRefused(String read, String written) {
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() ->
                        topology(TextLines.read(at(read)), sink(at(written))).graph())
                .withMessageStartingWith("topology 'again', operator 'out': it writes to ")
                .withMessageContaining(", which operator 'rows' reads, so that the job would read its own results; ")
                .withMessageContaining(WriteTarget.real(Path.of(at(written))).toString());
    }

    @ParameterizedTest
    @CsvSource({
        "in/a.csv, in/new.csv",
        "in/a.csv, in/b.csv",
        "in/a.csv, in/",
        "in/a.csv, -",
        "in/a.csv, /dev/null",
        "-, in/a.csv",
        "in, new.csv",
        "in, in/sub/new.csv",
        "in, in/sub/",
        "in, other/new.csv",
        "in, in/.new.csv",
        "in/*.csv, in/new.txt",
        "in/*.txt, in/",
        "in/a*, in/",
        "in/*.csv, in/sub/new.csv",
        "in/*.csv, in/not/yet/there/new.csv",
        "in/**/*.csv, other/new.csv",
        "in/**/*.csv, new.csv",
        "in/**/*.csv, in/.hidden/new.csv",
        "missing.csv, new.csv",
        "missing/*.csv, new.csv"
    })
    void shouldBeAllowed_ifItIsNotRead(String read, String written) {
        assertThat(topology(TextLines.read(path(read)), sink(path(written)))
                        .graph()
                        .nodes())
                .hasSize(2);
    }

    private String path(String path) {
        return path.startsWith("/") || path.equals("-") ? path : at(path);
    }

    @Test
    void shouldBeRefused_alsoFromTheWorkingDirectory() {
        Path here = Path.of("").toAbsolutePath();
        String relative = here.relativize(folder.toAbsolutePath()).toString();
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> topology(TextLines.read(relative + "/in/*.csv"), sink(at("in/new.csv")))
                        .graph());
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> topology(TextLines.read("*.csv"), sink(here + "/new.csv"))
                        .graph());
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> topology(TextLines.read("."), sink("new.csv")).graph());
    }

    /** Each format; they share the rule. */
    @Test
    void shouldKnowWhatEachFormatReadsAndWrites() {
        String in = at("in/*");
        List<Source<?>> sources = List.of(
                TextLines.read(in),
                TextLines.read(in).withPosition(),
                Csv.read(in, Row.class),
                Csv.read(in, Row.class).withPosition(),
                JsonLines.read(in, Row.class),
                JsonLines.read(in),
                TextLines.follow(at("in/a.csv"), at("link/new")),
                JsonLines.follow(at("in/new"), Row.class));
        List<Sink<?>> sinks = List.of(
                TextLines.write(at("in/new")),
                Csv.write(at("in/new"), Row.class),
                JsonLines.write(at("in/new")),
                JsonLines.write(at("in/new"), Row.class));
        for (Source<?> source : sources) {
            for (Sink<?> sink : sinks) {
                assertThat(sink.writes())
                        .as(sink.name())
                        .allMatch(source::reads)
                        .hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "in/app.log, in/app.log, true",
        "in/app.log, link/app.log, true",
        "in/a.csv, hard.csv, true",
        "in/app.log, link/app.log.1, true",
        "in/app.log, in/app.log-20261123, true",
        "in/app.log, in/app.log.old, false",
        "in/app.log, in/app.txt, false",
        "in/app.log, other/app.log.1, false"
    })
    void shouldKnowWhatIsFollowed_afterItWasRotatedToo(String followed, String written, boolean read) {
        assertThat(TextLines.follow(at(followed)).reads(new WriteTarget.File(Path.of(at(written)))))
                .isEqualTo(read);
    }

    @Test
    void shouldBeRefused_ifWhatItWritesIsATable() {
        Topology topology = Topology.named("again");
        topology.from(Sources.of("a", "b"))
                .join(TextLines.read(at("in/a.csv")), line -> line, name -> name, (name, line) -> name + line)
                .as(String.class)
                .name("look up")
                .to(TextLines.write(at("soft.csv")));
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(topology::graph)
                .withMessageContaining("operator 'look up' reads");
    }

    @Test
    void shouldChangeNothingOnTheDisk() throws Exception {
        assertThatExceptionOfType(TopologyException.class)
                .isThrownBy(() -> topology(TextLines.read(at("in/**")), sink(at("in/new/")))
                        .graph());
        try (Stream<Path> all = Files.walk(folder.resolve("in"))) {
            assertThat(all.map(path -> folder.relativize(path).toString()))
                    .containsExactlyInAnyOrder("in", "in/a.csv", "in/b.csv", "in/sub", "in/sub/c.csv", "in/linked");
        }
        assertThat(folder.resolve("in/a.csv")).hasContent("name\nInn\n");
    }
}
