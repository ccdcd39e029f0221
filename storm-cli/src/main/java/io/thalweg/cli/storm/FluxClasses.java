// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.StormTopology;
import org.jspecify.annotations.Nullable;

/** Flux, called as its own main calls it. It is in the loader of the topology, so that it finds the topology's classes. */
final class FluxClasses {
    private static final String PACKAGE = "org.apache.storm.flux.";

    private final ClassLoader loader;
    private final @Nullable Path jar;
    private final Class<?> parser;
    private final Class<?> definition;
    private final Class<?> context;
    private final Method parse;
    private final Method config;
    private final Method build;

    /** @param jar of the topology, for messages; null if there is none */
    FluxClasses(ClassLoader loader, @Nullable Path jar) {
        this.loader = loader;
        this.jar = jar;
        try {
            parser = Class.forName(PACKAGE + "parser.FluxParser", true, loader);
            definition = Class.forName(PACKAGE + "model.TopologyDef", true, loader);
            context = Class.forName(PACKAGE + "model.ExecutionContext", true, loader);
            Class<?> builder = Class.forName(PACKAGE + "FluxBuilder", true, loader);
            parse = parser.getMethod(
                    "parseInputStream",
                    InputStream.class,
                    boolean.class,
                    boolean.class,
                    Properties.class,
                    boolean.class);
            config = builder.getMethod("buildConfig", definition);
            build = builder.getMethod("buildTopology", context);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw unfit(e);
        }
    }

    private UsageException unfit(Throwable problem) {
        return new UsageException("the Flux of " + place() + " cannot be called: " + problem
                + "; it must be flux-core 2, with the libraries that it needs");
    }

    /** Where classes come from, for messages. */
    String place() {
        return jar == null ? FluxOptions.FLUX_CORE : jar.toString();
    }

    boolean hasJar() {
        return jar != null;
    }

    /** As Flux finds it: from the root if it begins with a slash. */
    FluxText resource(String from, String name) {
        try (InputStream in = parser.getResourceAsStream(name)) {
            if (in == null) {
                throw new UsageException(from + ": there is no resource " + name + " in " + place()
                        + (name.startsWith("/") ? "" : "; it begins with a slash"));
            }
            return new FluxText(name, in.readAllBytes());
        } catch (IOException e) {
            throw new UsageException(from + ": resource " + name + " cannot be read: " + e.getMessage());
        }
    }

    /**
     * Null if there is nothing in it.
     *
     * @throws InvocationTargetException with what Flux throws
     */
    @Nullable Object parse(FluxText text, FluxText.Values values, boolean includes) throws InvocationTargetException {
        return fitting(parse, text.stream(), false, includes, values.properties(), values.environment());
    }

    /** The root of its nodes, before anything is replaced in it; null if it cannot be read so. */
    @Nullable Object compose(FluxText text) {
        try {
            Class<?> yaml = Class.forName("org.yaml.snakeyaml.Yaml", true, loader);
            return yaml.getMethod("compose", Reader.class)
                    .invoke(yaml.getConstructor().newInstance(), text.reader());
        } catch (InvocationTargetException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw unfit(e);
        }
    }

    /** What the topology is run with. */
    Config config(Object topology) throws InvocationTargetException {
        return (Config) fitting(config, topology);
    }

    /** Creates all spouts and bolts. */
    StormTopology build(Object topology, Config conf) throws InvocationTargetException {
        try {
            return (StormTopology)
                    call(build, context.getConstructor(definition, Config.class).newInstance(topology, conf));
        } catch (InvocationTargetException e) {
            throw e;
        } catch (ReflectiveOperationException e) {
            throw unfit(e);
        }
    }

    /** As a main among the topology's classes does. */
    void submit(String name, Config conf, StormTopology topology) throws Exception {
        try {
            Class.forName(StormSubmitter.class.getName(), true, loader)
                    .getMethod("submitTopology", String.class, Map.class, StormTopology.class)
                    .invoke(null, name, conf, topology);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** Calls what uses no class of the topology's: what cannot be linked is Flux's. */
    private Object fitting(Method method, Object... arguments) throws InvocationTargetException {
        try {
            return call(method, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof LinkageError missing) {
                throw unfit(missing);
            }
            throw e;
        }
    }

    /** Whether a class of the topology's can be used, apart from its static initializer: it may need a library that is missing. */
    boolean links(String name) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            var unusedConstructors = type.getConstructors();
            var unusedMethods = type.getMethods();
            return true;
        } catch (ClassNotFoundException e) {
            return true; // Flux says that by itself
        } catch (LinkageError e) {
            return false;
        }
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private Object call(Method method, Object... arguments) throws InvocationTargetException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader); // the YAML parser asks it
        try {
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw e;
        } catch (ReflectiveOperationException e) {
            throw unfit(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** What a definition says of one thing, such as {@code getName}. */
    @SuppressWarnings("NullAway")
    @Nullable Object get(Object of, String getter) {
        try {
            return of.getClass().getMethod(getter).invoke(of);
        } catch (ReflectiveOperationException e) {
            throw unfit(e);
        }
    }

    /** What a definition says of several things; empty if it says nothing. */
    List<?> list(Object of, String getter) {
        Object all = get(of, getter);
        return all == null ? List.of() : (List<?>) all;
    }

    /** The same of options. */
    @Nullable Map<?, ?> map(Object of, String getter) {
        return (Map<?, ?>) get(of, getter);
    }
}
