// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of a topology's jars. What Thalweg has too is Thalweg's, Storm's classes above all. But libraries of the command
 * line that no worker of Storm has are the jars', if these have them. And if a jar has Flux and SnakeYAML, all of SnakeYAML is that jar's,
 * because Flux does not fit the one of the command line, nor one that another jar has. And Storm's {@code StormSubmitter} is defined again
 * here: it finds a topology's classes, those that it is to notify, beside its own.
 */
final class TopologyLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    static final String FLUX = "org/apache/storm/flux/Flux.class";
    private static final String YAML = "org.yaml.snakeyaml.";
    private static final String SUBMITTER = "org.apache.storm.StormSubmitter";

    /** A class of each library of the command line that no worker of Storm has, and how the names of all its classes begin. */
    private static final Map<String, String> LIBRARIES = Map.of(
            "com.fasterxml.jackson.core.JsonFactory",
            "com.fasterxml.jackson.",
            YAML + "Yaml",
            YAML,
            "picocli.CommandLine",
            "picocli.");

    /** Where the jar has Flux; null if SnakeYAML is not its own, for all classes alike: those of two versions do not fit each other. */
    private final @Nullable String flux;

    /** How the names begin of classes that are the jars' alone: a part of ours does not fit a part of another version. */
    private final List<String> own;

    /** @param jars of which the first one that has a class counts */
    TopologyLoader(List<Path> jars) {
        super(jars.stream().map(TopologyLoader::url).toArray(URL[]::new), TopologyLoader.class.getClassLoader());
        URL found = findResource(FLUX);
        flux = found != null && has(beside(found.toString(), YAML + "Yaml")) ? found.toString() : null;
        own = LIBRARIES.entrySet().stream()
                .filter(each -> findResource(file(each.getKey())) != null)
                .map(Map.Entry::getValue)
                .toList();
    }

    private static String beside(String flux, String name) {
        return flux.substring(0, flux.length() - FLUX.length()) + file(name);
    }

    private static boolean has(String place) {
        try {
            new URL(place).openStream().close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        String place = null;
        if (flux != null && name.startsWith(YAML)) {
            place = beside(flux, name);
        } else if (name.startsWith(SUBMITTER)) {
            URL ours = getParent().getResource(file(name));
            place = ours == null ? null : ours.toString();
        }
        if (place == null && own.stream().noneMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type != null) {
                return type;
            }
            return place == null ? findClass(name) : define(name, place);
        }
    }

    private static String file(String name) {
        return name.replace('.', '/') + ".class";
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] led = led(file(name));
        return led == null ? super.findClass(name) : defineClass(name, led, 0, led.length);
    }

    /** A class with calls as Storm 1 had them, led elsewhere; null if it has none, or cannot be read. */
    private byte @Nullable [] led(String file) {
        URL found = findResource(file);
        if (found == null) {
            return null;
        }
        try (InputStream in = found.openStream()) {
            return OldCalls.led(in.readAllBytes());
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            return null; // no class, or of a newer Java: who loads it says what is wrong
        }
    }

    private Class<?> define(String name, String place) throws ClassNotFoundException {
        try (InputStream in = new URL(place).openStream()) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
