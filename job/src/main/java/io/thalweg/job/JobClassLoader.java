// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Knows a job's own classes, compiled or in its jar, and those of the libraries that it declares, and prefers them to classes of
 * the same name that Thalweg happens to have; but what belongs to Thalweg is always Thalweg's, even if a jar brings a copy of it
 * along.
 */
public final class JobClassLoader extends URLClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String CLASS = ".class";

    private final Map<String, byte[]> compiled = new HashMap<>();
    private final ProtectionDomain origin;
    private final List<Path> libraries;

    /** @param libraries jars that the job declares */
    JobClassLoader(URL job, List<CompiledJob.ClassFile> classes, List<Path> libraries) {
        super(
                job.getPath().endsWith(".jar")
                        ? new URL[] {job}
                        : libraries.stream().map(JobLoader::url).toArray(URL[]::new),
                JobClassLoader.class.getClassLoader());
        this.libraries = libraries;
        origin = new ProtectionDomain(new CodeSource(job, (Certificate[]) null), null, this, null);
        for (CompiledJob.ClassFile type : classes) {
            compiled.put(type.name(), type.bytes());
        }
    }

    List<Path> jars() {
        List<Path> jars = new ArrayList<>();
        jars.add(jar());
        jars.addAll(libraries);
        return jars;
    }

    private Path jar() {
        try {
            if (compiled.isEmpty()) {
                return Path.of(getURLs()[0].toURI());
            }
            Path jar = Files.createTempFile("thalweg-job-", ".jar");
            jar.toFile().deleteOnExit();
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                for (Map.Entry<String, byte[]> type : new TreeMap<>(compiled).entrySet()) {
                    out.putNextEntry(new ZipEntry(type.getKey().replace('.', '/') + CLASS));
                    out.write(type.getValue());
                }
            }
            return jar;
        } catch (IOException | URISyntaxException e) {
            throw new JobException("the job's classes cannot be written into a jar: " + e.getMessage());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!compiled.containsKey(name) && (name.startsWith("java.") || name.startsWith("io.thalweg."))) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type == null) {
                type = ownClass(name);
            }
            return type == null ? super.loadClass(name, resolve) : type;
        }
    }

    /** Class files of compiled classes too, for those who look into them. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        byte[] bytes = name.endsWith(CLASS)
                ? compiled.get(name.substring(0, name.length() - CLASS.length()).replace('/', '.'))
                : null;
        return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
    }

    private @Nullable Class<?> ownClass(String name) throws ClassNotFoundException {
        byte[] bytes = compiled.get(name);
        if (bytes != null) {
            return defineClass(name, bytes, 0, bytes.length, origin);
        }
        return getURLs().length > 0 && findResource(name.replace('.', '/') + CLASS) != null ? findClass(name) : null;
    }
}
