// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class NewCommandTest {
    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void openFolder() {
        cli = new Cli(folder);
    }

    @AfterEach
    void leaveNoProcess() {
        cli.destroy();
    }

    @Test
    void shouldCreateAProjectWithNothingLeftToFillIn() throws Exception {
        Cli.Outcome created = cli.run("new", "deep/er/words-1.x");
        assertThat(created.code()).as(created.error()).isZero();
        Path project = folder.resolve("deep/er/words-1.x");
        assertThat(project.resolve("pom.xml")).content().contains("<artifactId>words-1.x</artifactId>");
        assertThat(project.resolve("mvnw")).isExecutable().hasSameBinaryContentAs(Path.of("..", "mvnw"));
        assertThat(project.resolve(".gitignore")).exists();
        try (Stream<Path> files = Files.walk(project)) {
            List<Path> text = files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().startsWith("mvnw"))
                    .toList();
            assertThat(text)
                    .hasSize(8)
                    .allSatisfy(file ->
                            assertThat(file).content().doesNotContain("__").doesNotContainPattern("@[a-z.-]+@"));
        }
    }

    @Test
    void shouldTakeAnEmptyDirectory() throws Exception {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        Files.createSymbolicLink(folder.resolve("link"), empty);
        assertThat(cli.run("new", "link").code()).isZero();
        assertThat(empty.resolve("pom.xml")).exists();
    }

    @Test
    void shouldRefuseWhatIsThere() throws Exception {
        Files.createDirectory(folder.resolve("full"));
        Files.writeString(folder.resolve("full/notes.txt"), "mine");
        Files.writeString(folder.resolve("file"), "mine");
        Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("nowhere"));

        refused("full is not empty", "new", "full");
        refused("file exists and is no directory", "new", "file");
        refused("dangling exists and is no directory", "new", "dangling");
        refused("file", "new", "file/below");
        assertThat(folder.resolve("full")).isDirectoryContaining("glob:**/notes.txt");
        assertThat(folder.resolve("file")).hasContent("mine");
        assertThat(folder.resolve("nowhere")).doesNotExist();
    }

    @Test
    void shouldRefuseImpossibleNames() throws Exception {
        for (String name : List.of("a b", "/", "über", "a<b", ".hidden", "-", "a\nb", "")) {
            refused("", "new", name);
        }
        refused("Missing required parameter", "new");
        refused("", "new", "one", "two");
        try (Stream<Path> made = Files.list(folder)) {
            assertThat(made).isEmpty();
        }
    }

    @Test
    void shouldRefuseAParentThatCannotBeWritten() throws Exception {
        refused("cannot write", "new", "/proc/words");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldSayThatTheDiskIsFull() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        Process probe = new ProcessBuilder(
                        "sh", "-c", "unshare --mount --map-root-user mount -t tmpfs -o size=4k tmpfs '" + small + "'")
                .start();
        assumeTrue(Cli.end(probe) == 0, "nothing can be mounted here");

        Cli.Outcome full = cli.runScript("mount -t tmpfs -o size=4k tmpfs small || exit 99; \"$@\" new small/words");

        assertThat(full.code()).as(full.error()).isEqualTo(1);
        assertThat(full.error())
                .hasLineCount(1)
                .matches("thalweg: cannot write small/words/.*: No space left on device\n");
        assertThat(full.out()).isEmpty();
    }

    private void refused(String why, String... arguments) throws Exception {
        Cli.Outcome outcome = cli.run(arguments);
        assertThat(outcome.code()).as(outcome.out()).isEqualTo(2);
        assertThat(outcome.error()).startsWith("thalweg: ").contains(why).hasLineCount(1);
    }
}
