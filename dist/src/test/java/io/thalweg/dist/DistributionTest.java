// SPDX-License-Identifier: Apache-2.0
package io.thalweg.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The archives as a user has them: unpacked where a path has spaces, with nothing of the tree around them. */
@DisabledOnOs(OS.WINDOWS)
final class DistributionTest {
    private static final int LIMIT_SECONDS = 600;
    private static final Path ARCHIVE = Path.of(System.getProperty("thalweg.archives"));

    @TempDir
    private Path folder;

    private Path home;

    private record Outcome(int code, String out, String error) {}

    @BeforeEach
    void unpack() throws Exception {
        Path place = Files.createDirectories(folder.resolve("a place with spaces"));
        Outcome unpacked = end(place, "tar", "xzf", ARCHIVE + ".tar.gz");
        assertThat(unpacked.code()).as(unpacked.error()).isZero();
        home = place.resolve(ARCHIVE.getFileName());
    }

    private Outcome end(Path where, String... command) throws Exception {
        Path out = folder.resolve("stdout");
        Path error = folder.resolve("stderr");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(where.toFile())
                .redirectOutput(out.toFile())
                .redirectError(error.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("THALWEG") || name.startsWith("JAVA"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended", List.of(command))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(error));
    }

    private Outcome thalweg(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/thalweg").toString()));
        command.addAll(List.of(arguments));
        return end(home, command.toArray(String[]::new));
    }

    @Test
    void shouldRunTheExamples() throws Exception {
        Outcome version = thalweg("--version");
        assertThat(version.error()).isEmpty();
        assertThat("thalweg-" + version.out().strip().substring("thalweg ".length()))
                .isEqualTo(ARCHIVE.getFileName().toString());
        try (Stream<Path> examples = Files.walk(home.resolve("examples"))) {
            for (Path job :
                    examples.filter(file -> file.toString().endsWith(".java")).toList()) {
                List<String> arguments =
                        new ArrayList<>(List.of("run", home.relativize(job).toString()));
                if (job.endsWith("Telecom.java")) {
                    arguments.addAll(List.of("--set", "records=10000"));
                }
                Outcome run = thalweg(arguments.toArray(String[]::new));
                if (job.endsWith("NumpyEarthquakes.java") && run.code() == 1) { // this machine has no numpy
                    assertThat(run.error()).contains("No module named 'numpy'").contains("-m pip install numpy");
                    continue;
                }
                assertThat(run.code()).as("%s: %s", job, run.error()).isZero();
                assertThat(run.out()).as("%s", job).isNotBlank();
                assertThat(run.error()).contains(" finished in ");
            }
        }
        assertThat(thalweg("run", "examples/earthquakes/Earthquakes.java", "--quiet")
                        .out())
                .contains("6.4  2018-02-06T15:50:42.400Z  22km NNE of Hualian, Taiwan");
    }

    @Test
    void shouldRunTheJarOfAJob() throws Exception {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        String libraries;
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            libraries = jars.map(Path::toString).collect(Collectors.joining(":"));
        }
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-parameters",
                        "-d",
                        classes.toString(),
                        "-cp",
                        libraries,
                        home.resolve("examples/wordcount/WordCount.java").toString());
        assertThat(compiled).isZero();
        Path jar = folder.resolve("words.jar");
        pack(classes, jar);

        Outcome run = thalweg("run", jar.toString(), "--quiet", "--set", "in=examples/wordcount/river.txt");

        assertThat(run.code()).as(run.error()).isZero();
        assertThat(run.out()).contains("the");
    }

    private static void pack(Path classes, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Thalweg-Topology"), "WordCount");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, packed);
            }
        }
    }

    @Test
    void shouldHoldTheSameInBothArchives_withOneTime() throws Exception {
        List<String> unpacked;
        try (Stream<Path> files = Files.walk(home)) {
            unpacked = files.filter(Files::isRegularFile)
                    .map(file -> home.getParent().relativize(file).toString())
                    .toList();
        }
        List<String> zipped = new ArrayList<>();
        try (ZipFile zip = new ZipFile(ARCHIVE + ".zip")) {
            for (ZipEntry entry :
                    zip.stream().filter(each -> !each.isDirectory()).toList()) {
                zipped.add(entry.getName());
                assertThat(entry.getTimeLocal().getYear()).as(entry.getName()).isBetween(2025, 2026);
                try (InputStream in = zip.getInputStream(entry)) {
                    assertThat(in.readAllBytes())
                            .as(entry.getName())
                            .isEqualTo(Files.readAllBytes(home.resolveSibling(entry.getName())));
                }
            }
        }
        assertThat(zipped).containsExactlyInAnyOrderElementsOf(unpacked);
        for (String name : List.of("LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "bin/thalweg")) {
            assertThat(home.resolve(name)).isNotEmptyFile();
        }
        assertThat(home.resolve("bin/thalweg")).isExecutable();
    }

    @Test
    void shouldSayInOneLineWhatItDoesNotHave() throws Exception {
        Outcome flink = thalweg("run", "examples/wordcount/WordCount.java", "--on", "flink");
        assertThat(flink.code()).isEqualTo(2);
        assertThat(flink.error())
                .startsWith("thalweg: this distribution has no flink; ")
                .hasLineCount(1);
        Outcome broker = thalweg("kafka", "start");
        assertThat(broker.code()).isEqualTo(2);
        assertThat(broker.error())
                .startsWith("thalweg: this distribution has no Kafka broker; ")
                .hasLineCount(1);
        Outcome topics = thalweg("kafka", "topics");
        assertThat(topics.code()).isEqualTo(1);
        assertThat(topics.error())
                .startsWith("thalweg: no trial broker is running in ")
                .hasLineCount(1);
        Outcome lab = thalweg("lab", "list");
        assertThat(lab.code()).isEqualTo(2);
        assertThat(lab.error()).startsWith("thalweg: unknown command 'lab'").hasLineCount(1);
    }
}
