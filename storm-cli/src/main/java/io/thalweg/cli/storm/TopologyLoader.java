// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads the classes of a topology's jars. What Thalweg has too is Thalweg's, Storm's classes above all. But if the jars have Flux and
 * SnakeYAML, all of SnakeYAML is theirs, because Flux does not fit the one of the command line.
 */
final class TopologyLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    static final String FLUX = "org/apache/storm/flux/Flux.class";
    private static final String YAML = "org.yaml.snakeyaml.";

    /** For all of its classes alike: those of two versions do not fit each other. */
    private final boolean ownYaml;

    /** @param jars of which the first one that has a class counts */
    TopologyLoader(List<Path> jars) {
        super(jars.stream().map(TopologyLoader::url).toArray(URL[]::new), TopologyLoader.class.getClassLoader());
        ownYaml = findResource(FLUX) != null && findResource("org/yaml/snakeyaml/Yaml.class") != null;
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
        if (!ownYaml || !name.startsWith(YAML)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            return type == null ? findClass(name) : type;
        }
    }
}
