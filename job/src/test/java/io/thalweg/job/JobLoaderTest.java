// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobLoaderTest {
    private static final String JOB = """
            import io.thalweg.api.connector.*;
            import io.thalweg.api.topology.*;

            public class NAME implements TopologyDefinition {
                @Override
                public void define(Topology topology, Settings settings) {
                    topology.from(Sources.of(1, 2)).map(i -> i + 1).to(Sinks.discard());
                }
            }
            """;

    @TempDir
    Path folder;

    private final JobLoader loader = new JobLoader(null);

    @Test
    void shouldLoadTheTopologyOfAFile() throws Exception {
        LoadedJob job = loader.load(write("Plain.java", JOB.replace("NAME", "Plain")), null);

        assertThat(job.name()).isEqualTo("Plain");
        assertThat(job.folder()).isEqualTo(folder);
        assertThat(operators(job)).isEqualTo(3);
    }

    @Test
    void shouldKeepParameterNamesForRecords() throws Exception {
        Path file = write("Named.java", JOB.replace("NAME", "Named").replace("Settings settings", "Settings hints"));

        assertThat(loader.load(file, null)
                        .definition()
                        .getClass()
                        .getMethod("define", Topology.class, Settings.class)
                        .getParameters()[1]
                        .getName())
                .isEqualTo("hints");
    }

    /** The engine looks how a record compares itself. */
    @Test
    void shouldGiveTheClassFilesOfWhatItCompiled() throws Exception {
        LoadedJob job = loader.load(write("Read.java", JOB.replace("NAME", "Read")), null);

        try (InputStream file = job.definition().getClass().getResourceAsStream("Read.class")) {
            assertThat(file).isNotNull();
            assertThat(file.readNBytes(4)).containsExactly(0xca, 0xfe, 0xba, 0xbe);
        }
        assertThat(job.loader().getResourceAsStream("Unread.class")).isNull();
    }

    @Test
    void shouldUseTheSourcesBesideTheJob() throws Exception {
        write("Beside.java", "class Beside { static int next(int i) { return Further.plus(i); } }");
        write("Further.java", "class Further { static int plus(int i) { return i + 1; } }");
        write("Unused.java", "this is no Java at all");
        Path file = write("User.java", JOB.replace("NAME", "User").replace("i + 1", "Beside.next(i)"));

        assertThat(operators(loader.load(file, null))).isEqualTo(3);
    }

    @Test
    void shouldFindWhereThePackageBegins() throws Exception {
        write(
                "org/acme/flow/Beside.java",
                "package org.acme.flow; class Beside { static int next(int i) { return i; } }");
        write("org/acme/Above.java", "package org.acme; public class Above { public static final int ONE = 1; }");
        Path file = write(
                "org/acme/flow/Packed.java",
                "/* Ours. */\npackage org.acme.flow;\nimport org.acme.Above;\n"
                        + JOB.replace("NAME", "Packed").replace("i + 1", "Beside.next(i) + Above.ONE"));

        LoadedJob job = loader.load(file, null);

        assertThat(job.definition().getClass().getName()).isEqualTo("org.acme.flow.Packed");
        assertThat(job.name()).isEqualTo("Packed");
    }

    @Test
    void shouldShowWhatDoesNotCompile() {
        Path file = write(
                "Wrong.java",
                JOB.replace("NAME", "Wrong").replace("\ti + 1", "").replace("i + 1", "j + 1"));

        assertThatThrownBy(() -> loader.load(file, null)).isInstanceOfSatisfying(JobException.class, problem -> {
            assertThat(problem).hasMessage(file + " does not compile");
            assertThat(problem.details().lines())
                    .containsExactly(
                            file + ":7: error: cannot find symbol",
                            "        topology.from(Sources.of(1, 2)).map(i -> j + 1).to(Sinks.discard());",
                            "                                                 ^",
                            "  symbol:   variable j",
                            "  location: class Wrong",
                            "1 error");
        });
    }

    @Test
    void shouldShowWhatDoesNotCompileBesideTheJob() {
        Path beside = write("Beside.java", "class Beside {\n\tint next() { return \"x\"; }\n}");
        Path file = write("Right.java", JOB.replace("NAME", "Right").replace("i + 1", "new Beside().next()"));

        assertThatThrownBy(() -> loader.load(file, null))
                .isInstanceOfSatisfying(
                        JobException.class,
                        problem -> assertThat(problem.details())
                                .isEqualTo(beside + ":2: error: incompatible types: String cannot be converted to int\n"
                                        + "\tint next() { return \"x\"; }\n\t                    ^\n1 error\n"));
    }

    @Test
    void shouldRefuseASourceThatIsNotUtf8() throws Exception {
        Path file = Files.write(folder.resolve("Latin.java"), new byte[] {'/', '/', (byte) 0xe9, '\n'});

        assertThatThrownBy(() -> loader.load(file, null))
                .hasMessageContaining("Latin.java")
                .hasMessageContaining("UTF-8");
    }

    @Test
    void shouldAskWhichOfSeveralTopologies() throws Exception {
        Path file = write(
                "Pair.java",
                JOB.replace("NAME", "Pair")
                        + "class Other extends Pair {}\nabstract class Open implements io.thalweg.api.topology.TopologyDefinition {}");

        assertThatThrownBy(() -> loader.load(file, null))
                .isInstanceOf(JobException.class)
                .hasMessage("several classes in " + file + " define a topology; choose one with --class: Other, Pair");
        assertThat(loader.load(file, "Other").name()).isEqualTo("Other");
        assertThatThrownBy(() -> loader.load(file, "Open"))
                .hasMessage("no class Open in " + file + " implements TopologyDefinition; these do: Other, Pair");
    }

    @Test
    void shouldLeaveOutTopologiesOfTheSourcesBeside() throws Exception {
        write("First.java", JOB.replace("NAME", "First"));
        Path file = write("Second.java", JOB.replace("NAME", "Second").replace("i + 1", "new First().hashCode()"));

        assertThat(loader.load(file, null).name()).isEqualTo("Second");
    }

    @Test
    void shouldFindANestedTopologyByAnyOfItsNames() throws Exception {
        Path file = write(
                "Outer.java",
                "public class Outer { "
                        + JOB.substring(JOB.indexOf("public")).replace("public class NAME", "static class In") + "}");
        Path imported = write(
                "Outer2.java",
                JOB.substring(0, JOB.indexOf("public")) + Files.readString(file).replace("Outer", "Outer2"));

        assertThat(loader.load(imported, "In").name()).isEqualTo("In");
        assertThat(loader.load(imported, "Outer2.In").name()).isEqualTo("In");
        assertThat(loader.load(imported, "Outer2$In").name()).isEqualTo("In");
    }

    @Test
    void shouldRefuseWhatIsNoJob() throws Exception {
        Path plain = write("Nothing.java", "class Nothing {}");
        Path text = write("notes.txt", "");
        Path jar = write("broken.jar", "no jar");
        Path demanding = write(
                "Demanding.java",
                JOB.replace("NAME", "Demanding").replace("@Override", "Demanding(int i) {}\n@Override"));
        Path failing = write(
                "Failing.java",
                JOB.replace("NAME", "Failing")
                        .replace(
                                "@Override",
                                "public Failing() { throw new IllegalStateException(\"not today\"); }\n@Override"));
        Path broken = write(
                "Broken.java",
                JOB.replace("NAME", "Broken")
                        .replace("@Override", "static final int SIZE = Integer.parseInt(\"ten\");\n@Override"));

        refused(folder.resolve("Gone.java"), "there is no file " + folder.resolve("Gone.java"));
        refused(folder, "a job is a .java file or a .jar, and " + folder + " is neither");
        refused(text, "a job is a .java file or a .jar, and " + text + " is neither");
        refused(plain, "no class in " + plain + " implements TopologyDefinition");
        refused(jar, jar + " cannot be read as a jar: zip END header not found");
        refused(demanding, "class Demanding of " + demanding + " needs a constructor without parameters");
        refused(failing, "class Failing cannot be created: java.lang.IllegalStateException: not today");
        refused(broken, "class Broken cannot be created: java.lang.NumberFormatException: For input string: \"ten\"");
    }

    @Test
    void shouldLoadATopologyFromAJar() throws Exception {
        Path jar = jar("job.jar", Map.of());

        assertThat(operators(loader.load(jar, "Packed"))).isEqualTo(3);
        assertThatThrownBy(() -> loader.load(jar, "Packet")).hasMessage("there is no class Packet in " + jar);
        assertThatThrownBy(() -> loader.load(jar, "java.lang.String"))
                .hasMessage("class java.lang.String of " + jar + " does not implement TopologyDefinition");
    }

    @Test
    void shouldReadTheNameOfTheTopologyFromTheManifest() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name(JobLoader.MANIFEST_ATTRIBUTE), "Packed");
        Path named = jar("named.jar", Map.of(), manifest);
        Path unnamed = jar("unnamed.jar", Map.of());

        assertThat(loader.load(named, null).name()).isEqualTo("Packed");
        refused(
                unnamed,
                "choose with --class the class in " + unnamed
                        + " that defines the topology, or name it in the manifest as Thalweg-Topology");
    }

    @Test
    void shouldPreferTheJarsClassesButNeverToThalwegsOwn() throws Exception {
        Path jar = jar(
                "fat.jar",
                Map.of(
                        "io/thalweg/api/topology/TopologyDefinition.class", new byte[] {1, 2, 3},
                        "org/junit/jupiter/api/Test.class", new byte[] {4, 5, 6}));

        LoadedJob job = loader.load(jar, "Packed");

        assertThat(job.definition()).isInstanceOf(TopologyDefinition.class);
        assertThatThrownBy(() -> job.loader().loadClass("org.junit.jupiter.api.Test"))
                .isInstanceOf(ClassFormatError.class);
    }

    private Path jar(String name, Map<String, byte[]> more) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        return jar(name, more, manifest);
    }

    private Path jar(String name, Map<String, byte[]> more, Manifest manifest) throws IOException {
        CompiledJob job = JobCompiler.compile(write("Packed.java", JOB.replace("NAME", "Packed")), List.of());
        Path jar = folder.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (CompiledJob.ClassFile type : job.classes()) {
                out.putNextEntry(new JarEntry(type.name() + ".class"));
                out.write(type.bytes());
            }
            for (Map.Entry<String, byte[]> entry : more.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        return jar;
    }

    private void refused(Path file, String message) {
        assertThatThrownBy(() -> loader.load(file, null))
                .isInstanceOf(JobException.class)
                .hasMessage(message);
    }

    private static int operators(LoadedJob job) throws Exception {
        Topology topology = Topology.named(job.name());
        job.definition().define(topology, Settings.none());
        return topology.graph().nodes().size();
    }

    private Path write(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
