// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads the classes of a topology's jars. What Thalweg has too is Thalweg's, Storm's classes above all; but where Flux is in the jars
 * with a YAML parser, it gets that one, because it does not fit the one of the command line.
 */
final class TopologyLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String YAML = "org.yaml.snakeyaml.";

    /** The YAML parser is that of the jars, as a whole. */
    private final boolean ownYaml;

    /** @param jars of which the first one that has a class counts */
    TopologyLoader(List<Path> jars) {
        super(jars.stream().map(TopologyLoader::url).toArray(URL[]::new), TopologyLoader.class.getClassLoader());
        ownYaml = findResource("org/apache/storm/flux/Flux.class") != null
                && findResource("org/yaml/snakeyaml/Yaml.class") != null;
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
