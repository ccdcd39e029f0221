// SPDX-License-Identifier: Apache-2.0
package io.thalweg.cli.storm;

import io.thalweg.cli.UsageException;
import io.thalweg.run.JobFailedException;
import io.thalweg.stormdoor.StormOptions;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** A topology in Flux YAML. Flux reads and builds it; what Flux does not say, or not in a way that helps, is said here. */
final class FluxTopology {
    private static final int MOST_VALUES = 1_000_000;

    private final FluxClasses flux;
    private final FluxText main;
    private final FluxText.Values values;

    /** All that were read, with those that are included. */
    private final List<FluxText> texts = new ArrayList<>();

    /** All that are named. */
    private final List<String> classes = new ArrayList<>();

    /** Ids of those that Flux creates, in this order. */
    private final List<String> components = new ArrayList<>();

    FluxTopology(FluxClasses flux, FluxText main, FluxText.Values values) {
        this.flux = flux;
        this.main = main;
        this.values = values;
    }

    /** Builds and submits it. */
    void submit() throws Exception {
        for (Object include : flux.list(parse(main, false), "getIncludes")) {
            parse(included(include), false); // each by itself: Flux does not say in which one something is wrong
        }
        Object topology = parsed(main, true);
        String name = check(topology);
        StormTopology built;
        Config conf;
        try {
            conf = flux.config(topology);
            built = flux.build(topology, conf);
        } catch (InvocationTargetException e) {
            throw refused(cause(e));
        }
        flux.submit(name, conf, built);
    }

    // ---- what is read

    private Object parse(FluxText text, boolean includes) {
        texts.add(text);
        if (text.isBlank()) {
            throw new UsageException(
                    text.name() + " is empty; a topology has a name, spouts, bolts and streams, or a topologySource");
        }
        text.check(values);
        FluxNodes.check(flux, text, flux.compose(text));
        return parsed(text, includes);
    }

    private Object parsed(FluxText text, boolean includes) {
        try {
            Object topology = flux.parse(text, values, includes);
            if (topology == null) {
                throw new UsageException(text.name() + " has no topology in it");
            }
            return topology;
        } catch (InvocationTargetException e) {
            throw unreadable(text, cause(e));
        }
    }

    private FluxText included(Object include) {
        String file = (String) flux.get(include, "getFile");
        String from = where("file", file);
        if (file == null) {
            throw new UsageException(from + ": an include has no file");
        }
        if (Boolean.TRUE.equals(flux.get(include, "isResource"))) {
            return flux.resource(from, file);
        }
        Path path = Path.of(file);
        if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)) {
            throw new UsageException(
                    from + ": " + file + " is a pipe or a device, and Flux reads an include once more");
        }
        return FluxText.ofFile(from, file);
    }

    private static UsageException unreadable(FluxText text, Throwable problem) {
        String said = text.name() + ": Flux cannot read it: " + problem;
        for (Throwable each = problem; each != null; each = each.getCause()) {
            String its = said(text, each);
            said = its == null ? said : its; // the innermost one says where
        }
        return new UsageException(said);
    }

    /** What an exception of the parser says: Flux calls SnakeYAML, perhaps under another name. Null if it is none. */
    private static @Nullable String said(FluxText text, Throwable problem) {
        try {
            Object mark = problem.getClass().getMethod("getProblemMark").invoke(problem);
            Object what = problem.getClass().getMethod("getProblem").invoke(problem);
            if (mark == null || what == null) {
                return null;
            }
            int line = (int) mark.getClass().getMethod("getLine").invoke(mark);
            return text.where(line + 1) + ": Flux cannot read it: " + what;
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    // ---- what is checked before Flux would stumble

    /** The topology's name. */
    private String check(Object topology) {
        String name = (String) flux.get(topology, "getName");
        if (name == null) {
            throw new UsageException(main.name() + ": the topology has no name; add a line name: NAME");
        }
        Map<?, ?> config = flux.map(topology, "getConfig");
        String ofConfig = where(Pattern.compile("^config\\s*:"));
        if (config == null) {
            throw new UsageException(ofConfig + ": config is empty; leave it out");
        }
        if (config.containsKey(null)) {
            throw new UsageException(ofConfig + ": config has a value without a name");
        }
        if (!isSmall(config)) {
            throw new UsageException(ofConfig + ": config has over " + MOST_VALUES
                    + " values, since aliases stand for others in turn, perhaps for themselves; write less of them");
        }
        String problem = StormOptions.problem(named(config));
        if (problem != null) {
            throw new UsageException(ofConfig + ": " + problem);
        }
        for (Object each : flux.list(topology, "getComponents")) {
            checkClass("component", each);
            components.add(String.valueOf(flux.get(each, "getId")));
        }
        Object source = flux.get(topology, "getTopologySource");
        if (source != null) {
            checkClass("topologySource", source);
        }
        Set<String> spouts = ids("spout", flux.list(topology, "getSpouts"));
        Set<String> bolts = ids("bolt", flux.list(topology, "getBolts"));
        if (source == null && spouts.isEmpty()) {
            throw new UsageException(main.name() + ": the topology has neither spouts nor a topologySource");
        }
        Set<List<Object>> seen = new HashSet<>();
        for (Object each : flux.list(topology, "getStreams")) {
            checkStream(each, spouts, bolts);
            checkOnce(each, seen);
        }
        return name;
    }

    private static Map<String, Object> named(Map<?, ?> config) {
        Map<String, Object> all = new HashMap<>();
        config.forEach((option, value) -> all.put(String.valueOf(option), value));
        return all;
    }

    /** Each alias would be written out when the topology is submitted. */
    private static boolean isSmall(Map<?, ?> config) {
        Deque<Object> open = new ArrayDeque<>(List.of(config));
        int values = 0;
        while (!open.isEmpty() && values <= MOST_VALUES) {
            Object each = open.pop();
            Collection<?> within = each instanceof Map<?, ?> map
                    ? map.values()
                    : each instanceof Collection<?> list ? list : List.of();
            within.stream().filter(Objects::nonNull).forEach(open::push);
            values += within.size();
        }
        return values <= MOST_VALUES;
    }

    private Set<String> ids(String kind, List<?> all) {
        Set<String> ids = new HashSet<>();
        for (Object each : all) {
            checkClass(kind, each);
            String id = (String) flux.get(each, "getId");
            if (id == null) {
                throw new UsageException(
                        ofClass(String.valueOf(flux.get(each, "getClassName"))) + ": a " + kind + " has no id");
            }
            ids.add(id);
        }
        return ids;
    }

    private void checkClass(String kind, Object definition) {
        String name = (String) flux.get(definition, "getClassName");
        if (name == null) {
            Object id = kind.equals("topologySource") ? null : flux.get(definition, "getId");
            String where = id == null ? main.name() : where("id", id.toString());
            throw new UsageException(where + ": " + kind + (id == null ? "" : " '" + id + "'") + " has no className");
        }
        classes.add(name);
        flux.list(definition, "getConstructorArgs").forEach(this::checkReference);
        for (Object property : flux.list(definition, "getProperties")) {
            checkReference((String) flux.get(property, "getRef"));
        }
        for (Object method : flux.list(definition, "getConfigMethods")) {
            flux.list(method, "getArgs").forEach(this::checkReference);
        }
    }

    /** Flux passes null for a component that there is not, or not yet. */
    private void checkReference(@Nullable Object argument) {
        String type = argument == null ? "" : argument.getClass().getSimpleName();
        if (argument != null && type.equals("BeanReference")) {
            checkReference((String) flux.get(argument, "getId"));
        } else if (argument != null && type.equals("BeanListReference")) {
            flux.list(argument, "getIds").forEach(id -> checkReference((String) id));
        }
    }

    private void checkReference(@Nullable String component) {
        if (component != null && !components.contains(component)) {
            throw new UsageException(
                    where("ref", component) + ": there is no component '" + component + "' before this one; "
                            + (components.isEmpty() ? "there is none" : "there are " + String.join(", ", components)));
        }
    }

    private void checkStream(Object stream, Set<String> spouts, Set<String> bolts) {
        String from = (String) flux.get(stream, "getFrom");
        String to = (String) flux.get(stream, "getTo");
        String arrow = "the stream from '" + from + "' to '" + to + "'";
        if (to == null || !bolts.contains(to)) {
            throw new UsageException(where("to", to) + ": " + arrow
                    + " leads to no bolt;" + " there are "
                    + String.join(", ", bolts.stream().sorted().toList()));
        }
        if (from == null || !(spouts.contains(from) || bolts.contains(from))) {
            throw new UsageException(where("from", from) + ": " + arrow
                    + " comes from no spout or bolt; there are "
                    + String.join(", ", spouts.stream().sorted().toList()) + " and "
                    + String.join(", ", bolts.stream().sorted().toList()));
        }
        Object grouping = flux.get(stream, "getGrouping");
        String where = where("to", to);
        Object type = grouping == null ? null : flux.get(grouping, "getType");
        if (grouping == null || type == null) {
            throw new UsageException(
                    where + ": " + arrow + " has no grouping; add one, such as grouping: {type: SHUFFLE}");
        }
        if (type.toString().equals("FIELDS") && flux.list(grouping, "getArgs").isEmpty()) {
            throw new UsageException(
                    where + ": " + arrow + " has a grouping by FIELDS without args, the names of fields");
        }
        if (type.toString().equals("CUSTOM") && flux.get(grouping, "getCustomClass") == null) {
            throw new UsageException(where + ": " + arrow + " has a CUSTOM grouping without customClass");
        }
    }

    /** A bolt reads a stream by one grouping. */
    private void checkOnce(Object stream, Set<List<Object>> seen) {
        String from = String.valueOf(flux.get(stream, "getFrom"));
        String to = String.valueOf(flux.get(stream, "getTo"));
        Object grouping = flux.get(stream, "getGrouping");
        Object given = grouping == null ? null : flux.get(grouping, "getStreamId");
        Object name = given == null ? Utils.DEFAULT_STREAM_ID : given;
        if (!seen.add(List.of(from, to, name))) {
            throw new UsageException(main.name() + ": stream '" + name + "' leads from '" + from + "' to '" + to
                    + "' twice, and Storm would take the last grouping alone; leave one out");
        }
    }

    // ---- what Flux throws

    private RuntimeException refused(Throwable thrown) {
        Throwable problem = thrown instanceof InvocationTargetException ? cause(thrown) : thrown;
        if (problem instanceof LinkageError unusable) {
            return refused(unusable);
        }
        String message = problem.getMessage();
        if (problem instanceof ClassNotFoundException && message != null) {
            return new UsageException(ofClass(message) + ": there is no class " + message + " in " + flux.place()
                    + (flux.hasJar()
                            ? "; name it with its package, and with $ before a nested one"
                            : "; name the jar that has it: thalweg storm run JAR --flux " + main.name()));
        }
        if (problem instanceof InstantiationException) {
            return new UsageException(
                    message == null
                            ? main.name() + ": Flux cannot build it: a class that it names is abstract, or an interface"
                            : ofClass(message) + ": class " + message + " cannot be created: it needs constructorArgs");
        }
        String thrower = thrower(problem);
        if (thrower != null) {
            return new JobFailedException(ofClass(thrower) + ": " + thrower + " threw " + problem, problem);
        }
        if (problem instanceof NoSuchFieldException && message != null) {
            return new UsageException(where("name", message) + ": there is no setter, and no public field,"
                    + " for property " + message + " and its value");
        }
        return new UsageException(main.name() + ": Flux cannot build it: " + (message == null ? problem : message));
    }

    /** A static initializer threw, or a library is missing, or a class is of a later Java. */
    private JobFailedException refused(LinkageError error) {
        Throwable problem = error instanceof ExceptionInInitializerError ? cause(error) : error;
        String thrower = thrower(problem);
        String name = thrower != null
                ? thrower
                : classes.stream().filter(each -> !flux.links(each)).findFirst().orElse(null);
        return new JobFailedException(
                (name == null ? main.name() + ": Flux cannot build it: " : ofClass(name) + ": " + name + " threw ")
                        + problem
                        + (problem instanceof NoClassDefFoundError
                                        && problem.getCause() instanceof ClassNotFoundException
                                ? "; put the library that has it into the jar"
                                : ""),
                error);
    }

    private static Throwable cause(Throwable of) {
        return Objects.requireNonNullElse(of.getCause(), of);
    }

    /** The class of the topology's that threw it; null if it was Flux or Storm. */
    private static @Nullable String thrower(Throwable problem) {
        for (StackTraceElement frame : problem.getStackTrace()) {
            String name = frame.getClassName();
            if (name.startsWith("org.apache.storm.flux.Flux") || name.startsWith("org.apache.storm.topology.")) {
                return null;
            }
            if (!name.matches("(java|jdk|sun)\\..*") && !name.equals(TopologyLoader.class.getName())) {
                return name;
            }
        }
        return null;
    }

    /** Where a class is named. */
    private String ofClass(String name) {
        return where(Pattern.compile(Pattern.quote(name)));
    }

    /** Where a key has this value, also as one of several in braces. */
    private String where(String key, @Nullable String value) {
        return where(Pattern.compile("(^|[\\s{,-])" + key + "\\s*:\\s*[\"']?" + Pattern.quote(String.valueOf(value))
                + "[\"']?\\s*([,}#].*)?$"));
    }

    /** File and line that are meant; the file alone if no line is so. */
    private String where(Pattern line) {
        for (FluxText text : texts) {
            String where = text.where(line);
            if (where != null) {
                return where;
            }
        }
        return main.name();
    }
}
