// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class CommitTest {
    @TempDir
    private Path folder;

    private Path home;

    @Test
    void shouldTellTwoStatesWithChangesApart() throws Exception {
        tree();
        repository(home);
        String clean = Commit.of(home);
        assertThat(clean).isEqualTo(git(home, "rev-parse", "HEAD").strip());

        write("engine/src/main/java/A.java", "one");
        String one = Commit.of(home);
        assertThat(one).matches("[0-9a-f]{40}\\+[0-9a-f]{16}").startsWith(clean + "+");
        assertThat(Commit.of(home)).isEqualTo(one);
        write("engine/src/main/java/A.java", "two");
        assertThat(Commit.of(home)).startsWith(clean + "+").isNotEqualTo(one);

        write("engine/src/main/java/A.java", "as committed");
        assertThat(Commit.of(home)).isEqualTo(clean);
        write("lab/drivers/new/driver.yaml", "engine: new");
        String added = Commit.of(home);
        assertThat(added).startsWith(clean + "+");
        Files.delete(home.resolve("lab/drivers/new/driver.yaml"));
        Files.delete(home.resolve("engine/src/main/java/A.java"));
        assertThat(Commit.of(home)).startsWith(clean + "+").isNotEqualTo(added);
    }

    /** The results themselves are written there, and the texts that explain them. */
    @Test
    void shouldPassOverWhatIsNotBuilt() throws Exception {
        tree();
        repository(home);
        String clean = Commit.of(home);
        write("results.json", "{}");
        write("docs/lab.md", "other words");
        write("engine/src/test/java/ATest.java", "another test");
        write("engine/target/src/main/java/A.java", "generated");
        assertThat(Commit.of(home)).isEqualTo(clean);

        write("engine/pom.xml", "another");
        String changed = Commit.of(home);
        write("results.json", "{more}");
        assertThat(Commit.of(home)).isEqualTo(changed);
    }

    @Test
    void shouldKnowATreeInsideAnotherRepository() throws Exception {
        home = folder.resolve("outer/thalweg");
        tree();
        repository(folder.resolve("outer"));
        Files.writeString(folder.resolve("outer/pom.xml"), "of the other");
        String clean = Commit.of(home);
        assertThat(clean).matches("[0-9a-f]{40}");
        write("pom.xml", "changed");
        assertThat(Commit.of(home)).matches("[0-9a-f]{40}\\+[0-9a-f]{16}");
    }

    @Test
    void shouldTellWhatIsBuiltWhereThereIsNoGit() throws Exception {
        tree();
        String one = Commit.of(home);
        assertThat(one).matches("\\+[0-9a-f]{16}");
        write("engine/src/main/java/A.java", "two");
        assertThat(Commit.of(home)).matches("\\+[0-9a-f]{16}").isNotEqualTo(one);
    }

    /** In the locale C, as under cron, a name with an umlaut is no path to Java. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldPassOverFilesWhoseNamesAreNoPaths() throws Exception {
        tree();
        repository(home);
        Process touch =
                new ProcessBuilder("sh", "-c", "printf x >\"$0/$(printf '\\303\\274').txt\"", home.toString()).start();
        assertThat(touch.waitFor()).isZero();
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Printed.class.getName(),
                home.toString());
        java.environment().put("LC_ALL", "C");
        Process printed = java.redirectErrorStream(true).start();
        String said = new String(printed.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(said.strip()).isEqualTo(Commit.of(home)).matches("[0-9a-f]{40}");
    }

    /** In a JVM of its own. */
    public static final class Printed {
        private Printed() {}

        public static void main(String[] arguments) {
            System.out.println(Commit.of(Path.of(arguments[0])));
        }
    }

    private void tree() throws IOException {
        home = home == null ? folder.resolve("thalweg") : home;
        write("pom.xml", "root");
        write("docs/lab.md", "words");
        write("engine/pom.xml", "engine");
        write("engine/src/main/java/A.java", "as committed");
        write("engine/src/test/java/ATest.java", "a test");
    }

    private void write(String path, String text) throws IOException {
        Path file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void repository(Path root) throws Exception {
        git(root, "init", "-q");
        Files.writeString(root.resolve(".gitignore"), "target/\n");
        git(root, "add", ".");
        git(
                root,
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@localhost",
                "-c",
                "commit.gpgsign=false",
                "commit",
                "-qm",
                "all");
    }

    private static String git(Path root, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        Process git = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
        return said;
    }
}
