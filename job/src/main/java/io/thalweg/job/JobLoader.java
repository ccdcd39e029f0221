// SPDX-License-Identifier: Apache-2.0
package io.thalweg.job;

import io.thalweg.api.topology.TopologyDefinition;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the topology definition in a single-file {@code .java} or in a {@code .jar}. */
public final class JobLoader {
    /** The attribute of a jar's manifest that names its topology definition. */
    static final String MANIFEST_ATTRIBUTE = "Thalweg-Topology";

    private final @Nullable Path cache;
    private final Consumer<String> progress;

    /** @param cache where compiled jobs are kept; null to compile each time */
    public JobLoader(@Nullable Path cache) {
        this(cache, line -> {});
    }

    /** @param progress is told, in a line, what takes a while */
    public JobLoader(@Nullable Path cache, Consumer<String> progress) {
        this.cache = cache;
        this.progress = progress;
    }

    /**
     * @param className which class, where the file alone does not tell
     * @throws JobException if there is no such job
     */
    public LoadedJob load(Path file, @Nullable String className) {
        String name = file.toString();
        if (name.isEmpty()) {
            throw new JobException("JOB is empty: name a .java file or a .jar");
        }
        if (!Files.exists(file)) {
            throw new JobException("there is no file " + file);
        }
        if (Files.isDirectory(file) || !(name.endsWith(".java") || name.endsWith(".jar"))) {
            throw new JobException("a job is a .java file or a .jar, and " + file + " is neither");
        }
        if (!Files.isReadable(file)) {
            throw new JobException(file + " cannot be read");
        }
        return name.endsWith(".java") ? fromSource(file, className) : fromJar(file, className);
    }

    private LoadedJob fromSource(Path file, @Nullable String className) {
        List<Path> libraries = Libraries.declaredBy(file, cache, progress).resolve();
        CompiledJob compiled = compiled(file, libraries);
        JobClassLoader loader = new JobClassLoader(url(file), compiled.classes(), libraries);
        List<? extends Class<?>> found = compiled.classes().stream()
                .filter(CompiledJob.ClassFile::ofJob)
                .map(type -> load(loader, type.name(), file))
                .filter(JobLoader::definesTopology)
                .toList();
        return start(choose(found, className, file), file, loader);
    }

    private CompiledJob compiled(Path file, List<Path> libraries) {
        if (cache == null) {
            return JobCompiler.compile(file, libraries);
        }
        CompileCache entries = new CompileCache(cache);
        String key = CompileCache.key(file, libraries);
        CompiledJob known = entries.find(key);
        if (known == null) {
            known = JobCompiler.compile(file, libraries);
            entries.keep(key, known);
        }
        return known;
    }

    private LoadedJob fromJar(Path file, @Nullable String className) {
        String name = className == null ? named(file) : className;
        JobClassLoader loader = new JobClassLoader(url(file), List.of(), List.of());
        Class<?> type = load(loader, name, file);
        if (!definesTopology(type)) {
            throw new JobException("class " + name + " of " + file + " does not implement TopologyDefinition");
        }
        return start(type, file, loader);
    }

    private static String named(Path jar) {
        try (JarFile opened = new JarFile(jar.toFile())) {
            Manifest manifest = opened.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue(MANIFEST_ATTRIBUTE);
            if (name == null) {
                throw new JobException("choose with --class the class in " + jar
                        + " that defines the topology, or name it in the manifest as " + MANIFEST_ATTRIBUTE);
            }
            return name.strip();
        } catch (IOException e) {
            throw new JobException(jar + " cannot be read as a jar: " + e.getMessage(), "", e);
        }
    }

    private static Class<?> choose(List<? extends Class<?>> found, @Nullable String className, Path file) {
        if (className != null) {
            return found.stream()
                    .filter(type -> isNamed(type, className))
                    .findFirst()
                    .orElseThrow(() ->
                            new JobException("no class " + className + " in " + file + " implements TopologyDefinition"
                                    + (found.isEmpty() ? "" : "; these do: " + names(found))));
        }
        if (found.isEmpty()) {
            throw new JobException("no class in " + file + " implements TopologyDefinition");
        }
        if (found.size() > 1) {
            throw new JobException(
                    "several classes in " + file + " define a topology; choose one with --class: " + names(found));
        }
        return found.get(0);
    }

    private static boolean isNamed(Class<?> type, String name) {
        return name.equals(type.getName()) || name.equals(type.getCanonicalName()) || name.equals(type.getSimpleName());
    }

    private static String names(List<? extends Class<?>> types) {
        return types.stream().map(Class::getName).sorted().collect(Collectors.joining(", "));
    }

    private static boolean definesTopology(Class<?> type) {
        return TopologyDefinition.class.isAssignableFrom(type)
                && !type.isInterface()
                && !Modifier.isAbstract(type.getModifiers())
                && type.getCanonicalName() != null;
    }

    private static Class<?> load(JobClassLoader loader, String name, Path file) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new JobException("there is no class " + name + " in " + file, "", e);
        } catch (LinkageError e) {
            throw new JobException("class " + name + " of " + file + " cannot be loaded: " + e, "", e);
        }
    }

    private static LoadedJob start(Class<?> type, Path file, JobClassLoader loader) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Path folder = file.getParent();
            return new LoadedJob(
                    type.getSimpleName(),
                    (TopologyDefinition) constructor.newInstance(),
                    folder == null ? Path.of("") : folder,
                    loader);
        } catch (NoSuchMethodException e) {
            throw new JobException(
                    "class " + type.getName() + " of " + file + " needs a constructor without parameters", "", e);
        } catch (InvocationTargetException e) {
            throw new JobException("class " + type.getName() + " cannot be created: " + e.getCause(), "", e.getCause());
        } catch (ReflectiveOperationException | LinkageError e) {
            Throwable cause = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            throw new JobException("class " + type.getName() + " cannot be created: " + cause, "", e);
        }
    }

    static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new JobException(file + " cannot be read", "", e);
        }
    }
}
