// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Jars for topologies of Flux. */
final class FluxJar {
    private FluxJar() {}

    /** The real one, that the build has fetched: the same that a user gets. */
    static Path core() {
        String[] parts = FluxOptions.FLUX_CORE.split(":");
        Path jar = Path.of("target", "flux", parts[1] + "-" + parts[2] + ".jar").toAbsolutePath();
        assertThat(jar).as("the version in pom.xml and in FluxOptions").isRegularFile();
        return jar;
    }

    /** {@link FluxWords} without its library, and these files, and nothing of Flux. */
    static Path words(Path jar, Map<String, String> files) throws IOException {
        return of(jar, FluxJar::ofTheTopology, files);
    }

    /** Classes of the tests, and these files. */
    static Path of(Path jar, Predicate<Path> own, Map<String, String> files) throws IOException {
        Path classes = Path.of(System.getProperty("java.class.path").split(File.pathSeparator)[0]);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> all = Files.walk(classes)) {
            for (Path file : all.filter(own).toList()) {
                add(out, classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
            for (Map.Entry<String, String> file : files.entrySet()) {
                add(out, file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private static boolean ofTheTopology(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("FluxWords") && !name.equals("FluxWords$Library.class");
    }

    /** Of Flux and of the libraries in it what has such a name. */
    static Path part(Path jar, Predicate<String> names) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            copy(core(), names, out);
        }
        return jar;
    }

    /** What a jar has, and all of Flux: as Storm's users pack it. */
    static Path withFlux(Path jar, Path of) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            copy(of, name -> true, out);
            copy(core(), name -> true, out);
        }
        return jar;
    }

    private static void copy(Path of, Predicate<String> names, JarOutputStream out) throws IOException {
        try (JarFile from = new JarFile(of.toFile())) {
            for (JarEntry entry : Collections.list(from.entries())) {
                if (!entry.isDirectory() && names.test(entry.getName())) {
                    add(out, entry.getName(), from.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static void add(JarOutputStream out, String name, byte[] bytes) throws IOException {
        out.putNextEntry(new JarEntry(name));
        out.write(bytes);
        out.closeEntry();
    }
}
