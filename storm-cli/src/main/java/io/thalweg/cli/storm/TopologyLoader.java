// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * Loads the classes of a topology's jars. What Thalweg has too is Thalweg's, Storm's classes above all; but a YAML parser is the jars',
 * because Flux does not fit the one of the command line.
 */
final class TopologyLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String YAML = "org.yaml.snakeyaml.";

    /** @param jars of which the first one that has a class counts */
    TopologyLoader(List<Path> jars) {
        super(jars.stream().map(TopologyLoader::url).toArray(URL[]::new), TopologyLoader.class.getClassLoader());
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
        if (!name.startsWith(YAML) || findResource(name.replace('.', '/') + ".class") == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            return type == null ? findClass(name) : type;
        }
    }
}
