// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.engine.Runner;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The one jar that Storm's workers get: the job's own classes, and of Thalweg what runs them. */
final class JobJar {
    private static final List<Class<?>> RUNTIME =
            List.of(TopologyGraph.class, Runner.class, JobJar.class, Histogram.class);

    private JobJar() {}

    /** @param code jars with the job's classes, beside those places that this JVM has loaded the graph's classes from */
    static Path write(TopologyGraph graph, List<Path> code) throws IOException {
        Set<Path> places = new LinkedHashSet<>(code);
        try (Places found = new Places(places)) {
            found.writeObject(graph);
        }
        RUNTIME.forEach(type -> add(places, type));
        for (Path place : List.copyOf(places)) {
            String name = String.valueOf(place.getFileName());
            if (name.startsWith("thalweg-columnar-") || name.startsWith("thalweg-kafka-")) {
                addLibrariesBeside(place, places);
            }
        }
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

    /** What Parquet and Avro, and Kafka, need lies beside their jar; the log is Storm's. */
    private static void addLibrariesBeside(Path jar, Set<Path> places) throws IOException {
        try (Stream<Path> all = Files.list(jar.toAbsolutePath().getParent())) {
            all.filter(each -> each.toString().endsWith(".jar")
                            && !each.getFileName().toString().startsWith("slf4j-"))
                    .sorted()
                    .forEach(places::add);
        }
    }

    private static void add(Set<Path> places, Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            if (source != null && source.getLocation() != null) {
                Path place = Path.of(source.getLocation().toURI());
                if (Files.isDirectory(place)
                        || place.toString()
                                .endsWith(".jar")) { // a job that is compiled in memory comes as a jar of its own
                    places.add(place);
                }
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // a class of no file; the worker says that it is missing
        }
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

    /** The first of a name; what a jar says of itself would not be true of all. */
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

    /** Finds out where the classes of what is written come from. */
    private static final class Places extends ObjectOutputStream {
        private final Set<Path> places;

        Places(Set<Path> places) throws IOException {
            super(OutputStream.nullOutputStream());
            this.places = places;
            enableReplaceObject(true);
        }

        @Override
        protected void annotateClass(Class<?> type) {
            add(places, type);
        }

        @Override
        protected @Nullable Object replaceObject(@Nullable Object object) {
            if (object instanceof SerializedLambda lambda) {
                String name = lambda.getCapturingClass().replace('/', '.');
                try {
                    add(
                            places,
                            Class.forName(name, false, Thread.currentThread().getContextClassLoader()));
                } catch (ClassNotFoundException e) {
                    // it is in one of the jars that were given
                }
            }
            return object;
        }
    }
}
