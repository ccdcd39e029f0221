// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.HostedPlan;
import io.thalweg.run.JobLibraries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Makes the jar that Storm's workers get: the job's classes, and those of Thalweg that run them. */
final class JobJar {
    private static final List<Class<?>> RUNTIME = List.of(HostedPlan.class, JobJar.class, Histogram.class);

    /** Storm's own, which each worker has. With a second copy of its {@code defaults.yaml} it ends at its start, without a word. */
    private static final Pattern OF_STORM = Pattern.compile("storm-(client|shaded-deps)-\\d.*\\.jar");

    private JobJar() {}

    /** @param code jars with classes of the job, in addition to the places that this JVM has loaded the graph's classes from */
    static Path write(TopologyGraph graph, List<Path> code) throws IOException {
        Set<Path> places = new LinkedHashSet<>(code);
        places.addAll(JobLibraries.of(graph, RUNTIME));
        places.removeIf(
                place -> OF_STORM.matcher(String.valueOf(place.getFileName())).matches());
        Path jar = Files.createTempFile("thalweg-job", ".jar");
        Set<String> written = new HashSet<>();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path place : places) {
                if (Files.isDirectory(place)) {
                    copyFolder(place, out, written);
                } else {
                    copyJar(place, out, written);
                }
            }
        }
        return jar;
    }

    /** For a cluster that has the classes already. */
    static Path empty() throws IOException {
        Path jar = Files.createTempFile("thalweg-job", ".jar");
        new JarOutputStream(Files.newOutputStream(jar), new Manifest()).close();
        return jar;
    }

    private static void copyFolder(Path folder, JarOutputStream out, Set<String> written) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                try (InputStream in = Files.newInputStream(file)) {
                    copy(name, in, out, written);
                }
            }
        }
    }

    private static void copyJar(Path place, JarOutputStream out, Set<String> written) throws IOException {
        try (JarFile jar = new JarFile(place.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                if (!entry.isDirectory()) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        copy(entry.getName(), in, out, written);
                    }
                }
            }
        }
    }

    /**
     * Copies an entry unless its name exists already; manifests and signatures are left out, because they describe one
     * jar only.
     */
    private static void copy(String name, InputStream in, JarOutputStream out, Set<String> written) throws IOException {
        boolean ofOneJar = name.equals(JarFile.MANIFEST_NAME)
                || name.equals("module-info.class")
                || name.endsWith("-log4j2.xml")
                || (name.startsWith("META-INF/") && name.matches(".*\\.(SF|RSA|DSA|EC)"));
        if (!ofOneJar && written.add(name)) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
    }
}
