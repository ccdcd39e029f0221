// SPDX-License-Identifier: Apache-2.0
package io.thalweg.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A project that {@code thalweg new} creates, outside the tree, built by the Maven at hand without a network. */
@Tag("one-jdk")
final class NewProjectTest {
    private static final int LIMIT_SECONDS = 600;
    private static final Pattern MANAGED = Pattern.compile("<artifactId>(thalweg-(\\w+))</artifactId>\\s*<version>");
    private static final Pattern JAR = Pattern.compile("target/[\\w.-]+\\.jar");
    private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");

    /** Thalweg alone: the real one stands behind it, and is only read. */
    @TempDir
    private Path repository;

    @TempDir
    private Path folder;

    @Test
    void shouldBuildAndPassAsItIsCreated() throws Exception {
        Path maven = Path.of(System.getProperty("thalweg.maven", ""), "bin", "mvn");
        assumeTrue(Files.isExecutable(maven), "Maven is needed, with its home in the property thalweg.maven");
        fillRepository();

        Path project = folder.resolve("my words");
        String refused = end(java("new", project.toString()), folder, 2);
        assertThat(refused).contains("cannot be called 'my words'");

        project = folder.resolve("with space").resolve("my-words");
        end(java("new", project.toString()), folder, 0);
        end(offline(maven, "package"), project, 0);

        assertThat(project.resolve("target/surefire-reports/TEST-com.example.WordCountTest.xml"))
                .content()
                .contains("tests=\"1\"")
                .contains("failures=\"0\"");
        String ran = end(java("run", "target/my-words-1.0.0-SNAPSHOT.jar", "--set", "in=words.txt"), project, 0);
        assertThat(ran).contains("question").contains("that");
    }

    /** What the guide shows of a build with every road; each test of the project runs. */
    @Test
    @Tag("integration")
    void shouldBuildAsTheGuideShows() throws Exception {
        Path maven = Path.of(System.getProperty("thalweg.maven", ""), "bin", "mvn");
        assumeTrue(Files.isExecutable(maven), "Maven is needed, with its home in the property thalweg.maven");
        fillRepository();
        Path shown = Repository.ROOT.resolve("checks/src/test/resources/own-build");
        Path project = Files.createDirectories(folder.resolve("roads"));
        Path main = Files.createDirectories(project.resolve("src/main/java/com/example"));
        Path test = Files.createDirectories(project.resolve("src/test/java/com/example"));
        Files.writeString(project.resolve("pom.xml"), withVersions(Repository.read(shown.resolve("roads.xml"))));
        Files.writeString(project.resolve("levels.txt"), "312\n298\n");
        for (String file : List.of("Levels.java", "Main.java")) {
            Files.copy(shown.resolve(file), main.resolve(file));
        }
        Files.copy(shown.resolve("LevelsTest.java"), test.resolve("LevelsTest.java"));

        end(offline(maven, "package"), project, 0);

        assertThat(project.resolve("target/surefire-reports/TEST-com.example.LevelsTest.xml"))
                .content()
                .contains("tests=\"2\"")
                .contains("failures=\"0\"");
        assertThat(JAR.matcher(Repository.read(Repository.ROOT.resolve("docs/guide/own-build.md")))
                        .results()
                        .map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(jar -> assertThat(project.resolve(jar)).exists());
        assertThat(end(java("run", "target/roads-1.0.0.jar", "--quiet"), project, 0))
                .isEqualTo("312\n");
    }

    /** Other versions of plugins than those that this build uses are not there without a network. */
    private static String withVersions(String pom) {
        String parent = Repository.read(Repository.ROOT.resolve("pom.xml"));
        return Pattern.compile("@([\\w.-]+)@").matcher(pom).replaceAll(found -> {
            Matcher value = Pattern.compile("<" + Pattern.quote(found.group(1)) + ">([^<]+)<")
                    .matcher(parent);
            assertThat(value.find()).as(found.group()).isTrue();
            return value.group(1);
        });
    }

    private List<String> offline(Path maven, String goal) {
        return List.of(
                maven.toString(),
                "-B",
                "-o",
                "-ntp",
                "-Dmaven.repo.local=" + repository,
                "-Dmaven.repo.local.tail=" + System.getProperty("thalweg.repository"),
                goal);
    }

    /** Installs what the BOM lists, the BOM and the parent, from what this build compiled. */
    private void fillRepository() throws IOException {
        Matcher version = VERSION.matcher(Repository.read(Repository.ROOT.resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        Path bom = Repository.ROOT.resolve("bom/pom.xml");
        install(Repository.ROOT.resolve("pom.xml"), "thalweg", version.group(1));
        install(bom, "thalweg-bom", version.group(1));
        Matcher managed = MANAGED.matcher(Repository.read(bom));
        while (managed.find()) {
            Path module = Repository.ROOT.resolve(managed.group(2));
            Path home = install(module.resolve("pom.xml"), managed.group(1), version.group(1));
            pack(module.resolve("target/classes"), home.resolve(managed.group(1) + "-" + version.group(1) + ".jar"));
        }
    }

    private Path install(Path pom, String name, String version) throws IOException {
        Path home = Files.createDirectories(
                repository.resolve("io/thalweg").resolve(name).resolve(version));
        Files.copy(pom, home.resolve(name + "-" + version + ".pom"));
        return home;
    }

    private static void pack(Path classes, Path jar) throws IOException {
        if (!Files.isDirectory(classes)) {
            return; // of a module that this build leaves out
        }
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                zip.putNextEntry(
                        new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, zip);
            }
        }
    }

    private static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.thalweg.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    private String end(List<String> command, Path where, int code) throws Exception {
        Path log = folder.resolve("log.txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment()
                .put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"); // it is over before more would pay
        builder.environment().keySet().removeAll(List.of("MAVEN_ARGS", "JAVA_TOOL_OPTIONS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended", command)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(log);
        assertThat(process.exitValue()).as(said).isEqualTo(code);
        return said;
    }
}
