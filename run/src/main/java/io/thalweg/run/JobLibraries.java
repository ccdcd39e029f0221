// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.TopologyGraph;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.SerializedLambda;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Determines what is sent to a cluster with a job, besides the job's own classes. A module whose classes run there
 * lists the libraries it needs in a file {@code META-INF/thalweg/libraries} in its jar: the beginnings of their jars'
 * names, one per line. So a new connector, including a user's, is shipped without a change here.
 *
 * <pre>{@code
 * # kafka/src/main/resources/META-INF/thalweg/libraries
 * kafka-clients
 * lz4-java
 * }</pre>
 */
public final class JobLibraries {
    private static final String NAMES = "META-INF/thalweg/libraries";

    private JobLibraries() {}

    /**
     * What a job needs from this JVM: its classes, and modules with their libraries on the class path.
     *
     * @param graph whose classes are needed
     * @param runner classes of the runner, which are needed too
     * @return jars and class folders, each once; a class that was compiled in memory is in none of them
     * @throws UncheckedIOException if one of them cannot be read
     */
    public static List<Path> of(TopologyGraph graph, List<Class<?>> runner) {
        Set<Path> places = new LinkedHashSet<>();
        try (Places found = new Places(places)) {
            found.writeObject(graph);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "topology '" + graph.name() + "' cannot be serialized: " + e.getMessage(), e);
        }
        places.addAll(on(System.getProperty("java.class.path")));
        runner.forEach(type -> add(places, type));
        return List.copyOf(places);
    }

    /**
     * @param classPath as in the system property {@code java.class.path}
     * @return the jars, and folders of classes, of modules and of the libraries that they name, in the order of the class path
     * @throws UncheckedIOException if one of them cannot be read
     */
    static List<Path> on(String classPath) {
        Set<Path> modules = new TreeSet<>();
        Set<String> libraries = new TreeSet<>();
        List<Path> entries = new ArrayList<>();
        try {
            for (String each : classPath.split(Pattern.quote(File.pathSeparator))) {
                Path entry = Path.of(each);
                entries.add(entry);
                if (readNames(entry, libraries)) {
                    modules.add(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the libraries of the job cannot be read: " + e.getMessage(), e);
        }
        return entries.stream()
                .filter(entry -> modules.contains(entry) || isNamed(entry, libraries))
                .distinct()
                .toList();
    }

    /** Adds the names that an entry of a class path holds; false if it is no module that says what it needs. */
    private static boolean readNames(Path entry, Set<String> names) throws IOException {
        if (Files.isDirectory(entry)) {
            Path file = entry.resolve(NAMES);
            if (!Files.exists(file)) {
                return false;
            }
            add(names, Files.readString(file));
            return true;
        }
        if (!entry.toString().endsWith(".jar") || !Files.isReadable(entry)) {
            return false;
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            ZipEntry file = jar.getEntry(NAMES);
            if (file == null) {
                return false;
            }
            try (InputStream in = jar.getInputStream(file)) {
                add(names, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            return true;
        }
    }

    private static void add(Set<String> names, String lines) {
        lines.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .forEach(names::add);
    }

    /** {@code lz4-java-1.8.0.jar} by {@code lz4-java}, but not by {@code lz4}. */
    private static boolean isNamed(Path entry, Set<String> libraries) {
        String file = String.valueOf(entry.getFileName());
        if (!file.endsWith(".jar")) {
            return false;
        }
        for (String name : libraries) {
            boolean begins = file.startsWith(name + "-") && file.length() > name.length() + 1;
            if (begins && Character.isDigit(file.charAt(name.length() + 1))) {
                return true;
            }
        }
        return false;
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
