// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.api.codec.StableHash;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.operator.SideOutput;
import io.thalweg.run.RunSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Which tasks a topology has, by Storm's rules, and which components send to which. */
final class Layout {
    /**
     * A spout or a bolt.
     *
     * @param conf of the topology, with what counts of the component's own over it
     * @param executors each with its tasks
     */
    record Component(
            String id, boolean spout, ComponentObject object, Map<String, Object> conf, List<List<Integer>> executors) {
        List<Integer> tasks() {
            return executors.stream().flatMap(List::stream).toList();
        }

        /** The same for one executor, with a conf of its own: spouts and bolts may change theirs, as some of Storm's do. */
        Component ofExecutor() {
            return new Component(id, spout, object, new HashMap<>(conf), executors);
        }
    }

    /**
     * Who reads a stream.
     *
     * @param back true if the reader leads back to the sender
     */
    record Subscription(String from, String stream, String to, Grouping grouping, boolean back) {}

    /**
     * Where a task is.
     *
     * @param side of what leads there
     */
    record Place(String component, int executor, int number, SideOutput<DoorTuple> side) {}

    final String name;
    final Map<String, Object> conf;

    /** As it was submitted, with the number of tasks of each component: what components are told of. */
    final StormTopology user;

    /** With Storm's own components and streams. */
    final StormTopology system;

    /** Of a component; each has an object of its own. */
    private static final int MOST_TASKS = 100_000;

    final Map<Integer, String> taskToComponent;
    final Map<String, List<Integer>> componentToTasks = new HashMap<>();
    final Map<String, Map<String, Fields>> fields = new HashMap<>();
    final Map<String, Component> components = new TreeMap<>();
    final List<Subscription> subscriptions = new ArrayList<>();
    private final Place[] places;
    final int ackers;

    /** As many threads all executors share; 0 if each has its own. */
    final int sharedThreads;

    /** A bolt may keep tuples as state, and read them again. */
    final boolean keepsTuples;

    /** It is a Trident topology. */
    final boolean trident;

    /** What it answers calls of. */
    final List<DrpcFunction> functions;

    Layout(String name, StormTopology topology, Map<String, Object> conf, ClassLoader loader) {
        this.name = name;
        this.conf = conf;
        StormTopology sized = topology.deepCopy();
        user = sized;
        Map<String, ComponentCommon> commons = new TreeMap<>();
        sized.get_spouts().forEach((id, spout) -> commons.put(id, spout.get_common()));
        sized.get_bolts().forEach((id, bolt) -> commons.put(id, bolt.get_common()));
        commons.forEach((id, common) -> size(id, common));
        ackers = conf.get(Config.TOPOLOGY_ACKER_EXECUTORS) == null
                ? 1
                : ObjectReader.getInt(conf.get(Config.TOPOLOGY_ACKER_EXECUTORS));
        sharedThreads = sharedThreads(conf.get(StormDoor.SHARED_THREADS));
        Map<String, Object> daemons = new HashMap<>(conf);
        daemons.put(Config.TOPOLOGY_ACKER_EXECUTORS, ackers);
        daemons.put(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, 0);
        daemons.remove(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER);
        try {
            system = StormCommon.systemTopology(daemons, sized);
            taskToComponent = StormCommon.stormTaskInfo(sized, daemons);
        } catch (InvalidTopologyException e) {
            throw problem("", "Storm refuses it: " + e.get_msg());
        }
        places = new Place[Collections.max(taskToComponent.keySet()) + 1];
        new TreeMap<>(taskToComponent)
                .forEach((task, component) -> componentToTasks
                        .computeIfAbsent(component, none -> new ArrayList<>())
                        .add(task));
        for (Object each : StormCommon.allComponents(system).entrySet()) {
            Map.Entry<?, ?> component = (Map.Entry<?, ?>) each;
            Map<String, Fields> streams = new HashMap<>();
            Map<String, StreamInfo> declared =
                    StormCommon.getComponentCommon(component.getValue()).get_streams();
            declared.forEach((stream, info) -> streams.put(
                    stream.intern(), // as ids of components are, since who counts tuples compares these names for each
                    new Fields(info.get_output_fields())));
            fields.put((String) component.getKey(), streams);
        }
        for (Map.Entry<String, SpoutSpec> spout : sized.get_spouts().entrySet()) {
            add(
                    spout.getKey(),
                    true,
                    spout.getValue().get_spout_object(),
                    spout.getValue().get_common());
        }
        for (Map.Entry<String, Bolt> bolt : sized.get_bolts().entrySet()) {
            add(
                    bolt.getKey(),
                    false,
                    bolt.getValue().get_bolt_object(),
                    bolt.getValue().get_common());
        }
        Refusals refusals = new Refusals(this, loader);
        keepsTuples = refusals.check();
        functions = refusals.functions();
        trident = refusals.trident();
        subscribe(sized.get_bolts());
    }

    private int sharedThreads(@Nullable Object asked) {
        if (asked == null) {
            return 0;
        }
        try {
            int threads = Integer.parseInt(asked.toString());
            if (threads > 0 && threads <= RunSettings.MAX_THREADS) {
                return threads;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw problem(
                "", StormDoor.SHARED_THREADS + " is " + asked + ", not a number from 1 to " + RunSettings.MAX_THREADS);
    }

    TopologyException problem(String component, String problem) {
        return new TopologyException(name, component, problem);
    }

    Component component(String id) {
        Component found = components.get(id);
        if (found == null) {
            throw new IllegalArgumentException("there is no component '" + id + "'");
        }
        return found;
    }

    /** Null if there is no such task, or it is one of Storm's own. */
    @Nullable Place place(int task) {
        return task < 0 || task >= places.length ? null : places[task];
    }

    /** That of one of an executor's tasks. */
    Place place(String component, int executor, int number) {
        return Objects.requireNonNull(
                place(component(component).executors().get(executor).get(number)));
    }

    /** All that reads what a component emits. */
    List<Subscription> readersOf(String component) {
        return subscriptions.stream()
                .filter(each -> each.from.equals(component))
                .toList();
    }

    /** The components that a component sends to through the graph. */
    Set<String> ahead(String component) {
        Set<String> to = new TreeSet<>();
        readersOf(component).stream().filter(each -> !each.back).forEach(each -> to.add(each.to));
        return to;
    }

    /** The components that send to one through the graph. */
    Set<String> behind(String component) {
        Set<String> from = new TreeSet<>();
        subscriptions.stream()
                .filter(each -> each.to.equals(component) && !each.back)
                .forEach(each -> from.add(each.from));
        return from;
    }

    /** The streams that a component reads. */
    List<GlobalStreamId> inputsOf(String component) {
        return subscriptions.stream()
                .filter(each -> each.to.equals(component))
                .map(each -> new GlobalStreamId(each.from, each.stream))
                .toList();
    }

    /** Whether a component gets tuples from itself, or from one that it sends to. */
    boolean ledBackTo(String component) {
        return subscriptions.stream().anyMatch(each -> each.to.equals(component) && each.back);
    }

    private Map<String, Object> own(ComponentCommon common) {
        if (!common.is_set_json_conf() || common.get_json_conf().isBlank()) {
            return new HashMap<>();
        }
        return new HashMap<>(Utils.parseJson(common.get_json_conf()));
    }

    /** Refuses what workers of Storm's could not convert, and would die of. They do convert numbers that are texts, and bear any number. */
    private void check(String id, Map<String, Object> own) {
        Map<String, Object> options = ComponentOptions.counting(own, conf);
        options.computeIfAbsent(Config.TOPOLOGY_TASKS, own::get);
        options.values()
                .removeIf(value -> value instanceof Number || (value instanceof String text && text.matches("-?\\d+")));
        String problem = StormOptions.problem(options);
        if (problem != null) {
            throw problem(id, "Storm cannot read its configuration: " + problem);
        }
    }

    /** Says how many tasks a component has, as Nimbus does. */
    private void size(String id, ComponentCommon common) {
        Map<String, Object> own = own(common);
        check(id, own);
        Map<String, Object> all = Utils.merge(conf, own);
        int hint = common.is_set_parallelism_hint() ? common.get_parallelism_hint() : 1;
        int tasks = ObjectReader.getInt(all.get(Config.TOPOLOGY_TASKS), hint);
        int most = ObjectReader.getInt(all.get(Config.TOPOLOGY_MAX_TASK_PARALLELISM), Integer.MAX_VALUE);
        tasks = Math.min(tasks, most);
        if (tasks < 1) {
            throw problem(id, "it has no tasks: its parallelism hint or topology.tasks is " + tasks);
        }
        int executors = Math.min(Math.max(1, hint), tasks);
        if (executors > StableHash.KEY_GROUPS) {
            throw problem(
                    id,
                    "it has " + executors + " executors, and " + StableHash.KEY_GROUPS
                            + " are possible; give it a smaller parallelism hint, and the rest as tasks");
        }
        if (tasks > MOST_TASKS) {
            throw problem(id, "it has " + tasks + " tasks, and " + MOST_TASKS + " are possible");
        }
        own.put(Config.TOPOLOGY_TASKS, tasks);
        common.set_json_conf(JSONValue.toJSONString(own));
        common.set_parallelism_hint(executors);
    }

    private void add(String id, boolean spout, ComponentObject object, ComponentCommon common) {
        int number = common.get_parallelism_hint();
        List<Integer> tasks = componentToTasks.getOrDefault(id, List.of());
        List<List<Integer>> executors = new ArrayList<>();
        SideOutput<DoorTuple> side = DoorTuple.towards(id);
        int from = 0;
        for (int executor = 0; executor < number; executor++) {
            int size = tasks.size() / number + (executor < tasks.size() % number ? 1 : 0);
            List<Integer> its = List.copyOf(tasks.subList(from, from + size));
            for (int place = 0; place < size; place++) {
                places[its.get(place)] = new Place(id, executor, place, side);
            }
            executors.add(its);
            from += size;
        }
        components.put(
                id,
                new Component(
                        id.intern(),
                        spout,
                        object,
                        Utils.merge(conf, ComponentOptions.counting(own(common), conf)),
                        List.copyOf(executors)));
    }

    private void subscribe(Map<String, Bolt> bolts) {
        Map<String, Set<String>> next = new TreeMap<>();
        for (Map.Entry<String, Bolt> bolt : bolts.entrySet()) {
            for (GlobalStreamId input :
                    bolt.getValue().get_common().get_inputs().keySet()) {
                next.computeIfAbsent(input.get_componentId(), none -> new TreeSet<>())
                        .add(bolt.getKey());
            }
        }
        Set<List<String>> back = new HashSet<>();
        Set<String> seen = new HashSet<>();
        components.values().stream()
                .sorted((one, other) -> Boolean.compare(other.spout, one.spout))
                .forEach(component -> walk(component.id, next, seen, new HashSet<>(), back));
        for (Map.Entry<String, Bolt> bolt : new TreeMap<>(bolts).entrySet()) {
            for (Map.Entry<GlobalStreamId, Grouping> input :
                    new TreeMap<>(bolt.getValue().get_common().get_inputs()).entrySet()) {
                String from = input.getKey().get_componentId();
                if (!components.containsKey(from)) {
                    throw problem(
                            bolt.getKey(),
                            "it reads stream '" + input.getKey().get_streamId() + "' of Storm's own component '" + from
                                    + "', which is not here");
                }
                subscriptions.add(new Subscription(
                        from,
                        input.getKey().get_streamId(),
                        bolt.getKey(),
                        input.getValue(),
                        back.contains(List.of(from, bolt.getKey()))));
            }
        }
    }

    private static void walk(
            String at, Map<String, Set<String>> next, Set<String> seen, Set<String> path, Set<List<String>> back) {
        if (!seen.add(at)) {
            return;
        }
        path.add(at);
        for (String to : next.getOrDefault(at, Set.of())) {
            if (path.contains(to)) {
                back.add(List.of(at, to));
            } else {
                walk(to, next, seen, path, back);
            }
        }
        path.remove(at);
    }
}
