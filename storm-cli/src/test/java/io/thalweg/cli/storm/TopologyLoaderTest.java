// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose libraries a topology gets: all of SnakeYAML, for instance, is its jars', or all of it is ours. */
final class TopologyLoaderTest {
    private static final String FLUX = "org/apache/storm/flux/";
    private static final String YAML = "org/yaml/snakeyaml/";

    @TempDir
    private static Path folder;

    private static TopologyLoader loader(String jar, Predicate<String> names) throws IOException {
        return new TopologyLoader(List.of(FluxJar.part(folder.resolve(jar), names)));
    }

    /** As on Storm, whose workers do not have the libraries of our command line. */
    @Test
    void shouldTakeTheLibrariesOfTheJars_andNoPartOfOurs() throws Exception {
        try (TopologyLoader loader =
                loader("bare.jar", name -> name.startsWith(YAML) && !name.startsWith(YAML + "nodes"))) {
            assertThat(loader.loadClass("org.yaml.snakeyaml.Yaml").getClassLoader())
                    .isSameAs(loader);
            assertThatThrownBy(() -> loader.loadClass("org.yaml.snakeyaml.nodes.Node"))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThat(loader.loadClass("com.fasterxml.jackson.core.JsonFactory"))
                    .isSameAs(JsonFactory.class);
        }
        Path ours = Path.of(JsonFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path jar = folder.resolve("json.jar");
        Files.copy(ours, jar);
        try (TopologyLoader loader = new TopologyLoader(List.of(jar))) {
            Class<?> its = loader.loadClass("com.fasterxml.jackson.core.JsonFactory");
            assertThat(its.getClassLoader()).isSameAs(loader);
            assertThat(its.getDeclaredConstructor().newInstance()).isInstanceOf(its); // with all that it needs
            assertThat(loader.loadClass("org.apache.storm.Config").getClassLoader())
                    .isSameAs(TopologyLoader.class.getClassLoader());
        }
    }

    @Test
    void shouldTakeOurs_ifTheJarsHaveNone() throws Exception {
        try (TopologyLoader loader = loader("none.jar", name -> name.startsWith(FLUX))) {
            isOurs(loader, "Yaml");
            isOurs(loader, "nodes.Node");
        }
    }

    @Test
    void shouldTakeOurs_ifTheJarsHaveOnlyAPartOfIt() throws Exception {
        try (TopologyLoader loader = loader(
                "part.jar",
                name -> (name.startsWith(FLUX) || name.startsWith(YAML)) && !name.equals(YAML + "Yaml.class"))) {
            isOurs(loader, "Yaml");
            isOurs(loader, "nodes.Node");
        }
    }

    @Test
    void shouldTakeTheJars_andNothingOfOurs_ifTheyHaveFlux() throws Exception {
        try (TopologyLoader loader = loader(
                "flux.jar",
                name -> (name.startsWith(FLUX) || name.startsWith(YAML)) && !name.startsWith(YAML + "nodes"))) {
            Class<?> its = loader.loadClass("org.yaml.snakeyaml.Yaml");
            assertThat(its.getClassLoader()).isSameAs(loader);
            assertThat(loader.loadClass("org.yaml.snakeyaml.Yaml")).isSameAs(its);
            isOurs(TopologyLoader.class.getClassLoader(), "nodes.Node");
            assertThatThrownBy(() -> loader.loadClass("org.yaml.snakeyaml.nodes.Node"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    @Test
    void shouldTakeAllOfTheJarWithFlux_ifTheTopologysHasAnother() throws Exception {
        Path other = folder.resolve("other.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(other))) {
            out.putNextEntry(new JarEntry(YAML + "nodes/Node.class"));
            out.write(1); // no class
            out.closeEntry();
        }
        try (TopologyLoader loader = new TopologyLoader(List.of(other, FluxJar.core()))) {
            assertThat(loader.loadClass("org.yaml.snakeyaml.nodes.Node").getClassLoader())
                    .isSameAs(loader);
        }
    }

    private static void isOurs(ClassLoader loader, String name) throws ClassNotFoundException {
        assertThat(loader.loadClass("org.yaml.snakeyaml." + name).getClassLoader())
                .isSameAs(TopologyLoader.class.getClassLoader());
    }
}
