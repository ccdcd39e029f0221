// SPDX-License-Identifier: Apache-2.0
package io.thalweg.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.thalweg.api.connector.CheckpointedWriter;
import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.SinkContext;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outputs whose paths are symbolic links: what is written gets to where they lead, as with {@code cat > link}. */
@EnabledOnOs({OS.LINUX, OS.MAC})
final class LinkedOutputsTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeLinks() throws Exception {
        Files.createDirectory(folder.resolve("real"));
        link("link.txt", "real/out.txt");
        link("second.txt", "link.txt");
        link("absolute.txt", folder + "/real/out.txt");
        link("near", "real");
        link("through.txt", "near/out.txt");
        link("lost.txt", "gone/out.txt");
        link("self.txt", "self.txt");
        link("parts", "real/parts");
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(folder.resolve(name), Path.of(target));
    }

    @SuppressWarnings("unchecked") // a writer of text
    private CheckpointedWriter<String> open(String output, long checkpoint) throws Exception {
        PrintStream console = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return (CheckpointedWriter<String>) TextLines.write(folder + "/" + output)
                .open(new SinkContext("test", "sink", 0, 1, console, null, Guarantee.EXACTLY_ONCE, checkpoint, "run"));
    }

    private void write(String output, String line, long checkpoint) throws Exception {
        CheckpointedWriter<String> writer = open(output, checkpoint);
        writer.write(line);
        writer.finish();
        writer.close();
    }

    private List<String> names(String directory) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(directory))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"link.txt", "second.txt", "absolute.txt", "through.txt", "near/../link.txt"})
    void shouldBeMadeAndReplacedWhereTheLinkLeads(String output) throws Exception {
        List<String> before = names("");
        for (long checkpoint : new long[] {SinkContext.NO_CHECKPOINTS, 0}) {
            Files.deleteIfExists(folder.resolve("real/out.txt"));
            write(output, "made", checkpoint);
            assertThat(folder.resolve(output)).isSymbolicLink();
            assertThat(folder.resolve("real/out.txt")).isRegularFile().hasContent("made");
            write(output, "replaced", checkpoint);
            assertThat(folder.resolve(output)).isSymbolicLink();
            assertThat(folder.resolve("real/out.txt")).isRegularFile().hasContent("replaced");
            assertThat(names("real")).containsExactly("out.txt");
            assertThat(names("")).isEqualTo(before);
        }
    }

    @Test
    void shouldBeContinuedWhereTheLinkLeads() throws Exception {
        CheckpointedWriter<String> killed = open("link.txt", 0);
        killed.write("one");
        byte[] saved = killed.save(1);
        killed.close();
        CheckpointedWriter<String> next = open("link.txt", 1);
        next.restore(List.of(saved));
        next.write("two");
        next.save(0);
        next.finish();
        next.close();
        assertThat(folder.resolve("link.txt")).isSymbolicLink();
        assertThat(folder.resolve("real/out.txt")).hasContent("one\ntwo");
        assertThat(names("real")).containsExactly("out.txt");
    }

    @Test
    void shouldBeRefusedInOneLine_ifTheLinkLeadsNowhere() throws Exception {
        List<String> before = names("");
        for (String output : List.of("lost.txt", "self.txt", "lost.txt/", "parts/")) {
            assertThatExceptionOfType(ConnectorException.class)
                    .as(output)
                    .isThrownBy(() -> open(output, SinkContext.NO_CHECKPOINTS))
                    .withMessageMatching(
                            "cannot (write|inspect) " + folder + "/" + output + ": .*" + why(output) + ".*");
        }
        assertThat(names("")).isEqualTo(before);
        assertThat(names("real")).isEmpty();
    }

    private static String why(String output) {
        return switch (output) {
            case "lost.txt" -> "/gone; create it first";
            case "self.txt" -> "symbolic links"; // too many of them, as the system says
            default -> "is a link to a directory that is not there; create it first";
        };
    }

    @Test
    void shouldBePartsWhereTheLinkLeads() throws Exception {
        Files.createDirectory(folder.resolve("real/parts"));
        for (String output : List.of("parts/", "parts")) {
            write(output, output, SinkContext.NO_CHECKPOINTS);
            assertThat(folder.resolve("parts")).isSymbolicLink();
            assertThat(folder.resolve("real/parts/part-00000.txt")).hasContent(output);
        }
    }

    /** The names in a directory of parts are the job's own. */
    @Test
    void shouldReplaceALinkWithTheNameOfAPart() throws Exception {
        Files.createDirectory(folder.resolve("real/parts"));
        Path victim = Files.writeString(folder.resolve("victim"), "precious");
        Path part = Files.createSymbolicLink(folder.resolve("real/parts/part-00000.txt"), victim);
        write("real/parts/", "part", SinkContext.NO_CHECKPOINTS);
        assertThat(part).isRegularFile().hasContent("part");
        assertThat(Files.isSymbolicLink(part)).isFalse();
        assertThat(victim).hasContent("precious");
    }
}
