// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.daemon.GrouperFactory;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.TupleImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one task emits: chooses the tasks that get it, by Storm's own groupings, and makes a tuple for each. Any thread may call. */
final class Outgoing {
    /** Those that every tuple passes, of one thread or of several; a shuffle counts atomically. */
    private static final Set<Grouping._Fields> OF_STORM = Set.of(
            Grouping._Fields.ALL,
            Grouping._Fields.DIRECT,
            Grouping._Fields.FIELDS,
            Grouping._Fields.LOCAL_OR_SHUFFLE,
            Grouping._Fields.NONE,
            Grouping._Fields.SHUFFLE);

    private static final Logger LOG = LoggerFactory.getLogger(Outgoing.class);

    /** @param guarded the grouping is not known to bear several threads at once */
    record Target(Layout.Subscription to, LoadAwareCustomStreamGrouping grouping, boolean guarded) {
        boolean direct() {
            return grouping == GrouperFactory.DIRECT;
        }

        @Nullable List<Integer> choose(int from, List<Object> values) {
            if (!guarded) {
                return grouping.chooseTasks(from, values);
            }
            synchronized (this) {
                return grouping.chooseTasks(from, values);
            }
        }
    }

    /**
     * Where a stream leads.
     *
     * @param back some of the targets are led back to
     * @param sent where its tuples count
     * @param only the one task that all tuples go to, whatever is in them; null if they are to be asked for
     */
    record Route(
            String stream,
            List<Target> targets,
            boolean back,
            Counts.Sent sent,
            @Nullable List<Integer> only) {}

    private final Host host;
    private final Layout.Component component;
    private final int task;
    private final TopologyContext context;
    private final Consumer<DoorTuple> onward;
    private final boolean debug;
    private final Map<String, Route> routes = new HashMap<>();

    /** The one that was asked for last; threads may see an older one. */
    private @Nullable Route last;

    /** @param onward where messages go to that do not lead back */
    Outgoing(
            Host host,
            Layout.Component component,
            int task,
            TopologyContext context,
            Counts counts,
            Consumer<DoorTuple> onward) {
        this.host = host;
        this.component = component;
        this.task = task;
        this.context = context;
        this.onward = onward;
        debug = Boolean.TRUE.equals(component.conf().get(Config.TOPOLOGY_DEBUG));
        Map<String, Object> conf = new HashMap<>(component.conf());
        // There is one worker, and a shuffle by load would need the figures of Storm's queues.
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        Map<String, Fields> streams = host.layout.fields.getOrDefault(component.id(), Map.of());
        for (Map.Entry<String, Fields> stream : streams.entrySet()) {
            List<Target> to = new ArrayList<>();
            List<Integer> targets = new ArrayList<>();
            for (Layout.Subscription each : host.layout.readersOf(component.id())) {
                if (each.stream().equals(stream.getKey())) {
                    List<Integer> tasks = host.layout.component(each.to()).tasks();
                    targets.addAll(tasks);
                    to.add(new Target(
                            each,
                            grouping(each, stream.getValue(), new ArrayList<>(tasks), conf),
                            !OF_STORM.contains(each.grouping().getSetField())));
                }
            }
            boolean sure = to.stream().noneMatch(each -> each.direct() || each.guarded);
            routes.put(
                    stream.getKey(),
                    new Route(
                            stream.getKey(),
                            to,
                            to.stream().anyMatch(each -> each.to.back()),
                            counts.sent(stream.getKey()),
                            sure && targets.size() == 1 ? Collections.singletonList(targets.get(0)) : null));
        }
    }

    /** Made by Storm, but that of a serialized object, whose class Storm would look for beside its own. */
    private LoadAwareCustomStreamGrouping grouping(
            Layout.Subscription of, Fields fields, List<Integer> tasks, Map<String, Object> conf) {
        if (!of.grouping().is_set_custom_serialized()) {
            return GrouperFactory.mkGrouper(
                    host.context(), component.id(), of.stream(), fields, of.grouping(), tasks, conf);
        }
        try {
            CustomStreamGrouping custom =
                    (CustomStreamGrouping) Components.read(of.grouping().get_custom_serialized(), host.loader);
            custom.prepare(host.context(), new GlobalStreamId(component.id(), of.stream()), tasks);
            return custom instanceof LoadAwareCustomStreamGrouping aware
                    ? aware
                    : new GrouperFactory.BasicLoadAwareCustomStreamGrouping(custom);
        } catch (ClassNotFoundException e) {
            throw host.layout.problem(
                    of.to(), "the class of a grouping of it, " + e.getMessage() + ", is not on the class path");
        } catch (IOException e) {
            throw host.layout.problem(of.to(), "a grouping of it cannot be deserialized: " + e);
        }
    }

    /** The tasks that a tuple goes to. */
    List<Integer> choose(Route route, List<Object> values) {
        if (debug) {
            LOG.info("Emitting: {} {} {}", component.id(), route.stream, values);
        }
        if (route.only != null) {
            return route.only;
        }
        List<Integer> tasks = new ArrayList<>();
        for (Target target : route.targets) {
            if (target.direct()) {
                throw new IllegalArgumentException("stream '" + route.stream + "' of '" + component.id()
                        + "' is read by '" + target.to.to() + "' with a direct grouping: emit to it with emitDirect");
            }
            List<Integer> chosen = target.choose(task, values);
            if (chosen != null) {
                tasks.addAll(chosen);
            }
        }
        return tasks;
    }

    /** The task itself, if its component reads the stream, and with a direct grouping. */
    List<Integer> direct(int to, Route route, List<Object> values) {
        if (debug) {
            LOG.info("Emitting direct: {}; {} {} {}", to, component.id(), route.stream, values);
        }
        Layout.Place place = host.layout.place(to);
        if (place == null) {
            throw new IllegalArgumentException("'" + component.id() + "' emits to task " + to + ", and there is none");
        }
        for (Target target : route.targets) {
            if (target.to.to().equals(place.component())) {
                if (!target.direct()) {
                    throw new IllegalArgumentException("'" + component.id() + "' emits directly to task " + to + " of '"
                            + place.component() + "', which reads stream '" + route.stream + "' with another grouping");
                }
                return List.of(to);
            }
        }
        return List.of();
    }

    /**
     * Where a stream leads.
     *
     * @throws IllegalArgumentException if the component has not declared it
     */
    Route route(String stream) {
        Route before = last;
        if (before != null && before.stream.equals(stream)) {
            return before;
        }
        Route to = routes.get(stream);
        last = to;
        if (to == null) {
            throw new IllegalArgumentException(
                    "'" + component.id() + "' emits to stream '" + stream + "', which it has not declared");
        }
        return to;
    }

    /**
     * Makes the tuples and sends them.
     *
     * @param ids of each tuple, in the order of the tasks
     */
    void send(Route route, List<Object> values, List<Integer> tasks, Supplier<MessageId> ids) {
        if (tasks.size() == 1) {
            DoorTuple made = made(route.stream, values, tasks.get(0), ids.get());
            counted(route, values, tasks);
            forward(route, made);
            return;
        }
        List<DoorTuple> made = new ArrayList<>(tasks.size());
        for (int to : tasks) {
            made.add(made(route.stream, values, to, ids.get()));
        }
        if (tasks.isEmpty()) {
            new TupleImpl(
                    host.context(),
                    values,
                    component.id(),
                    task,
                    route.stream,
                    MessageId.makeUnanchored()); // checks the values
        }
        counted(route, values, tasks);
        made.forEach(each -> forward(route, each));
    }

    private DoorTuple made(String stream, List<Object> values, int to, MessageId id) {
        Layout.Place place = host.layout.place(to);
        if (place == null) {
            throw new IllegalArgumentException("a grouping of stream '" + stream + "' of '" + component.id()
                    + "' chose task " + to + ", and there is none");
        }
        return new DoorTuple(place, host.context(), values, component.id(), task, stream, id);
    }

    private void counted(Route route, List<Object> values, List<Integer> tasks) {
        route.sent.emitted.increment();
        route.sent.transferred.add(tasks.size());
        if (!context.getHooks().isEmpty()) {
            new EmitInfo(values, route.stream, task, tasks).applyOn(context);
        }
    }

    private void forward(Route route, DoorTuple message) {
        if (!route.back) {
            onward.accept(message);
            return;
        }
        for (Target target : route.targets) {
            if (target.to.to().equals(message.to.component())) {
                if (target.to.back()) {
                    host.handBack(message);
                    return;
                }
                break;
            }
        }
        onward.accept(message);
    }
}
