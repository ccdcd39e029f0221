// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import io.thalweg.stormdoor.multilang.Multilang;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.hooks.info.BoltExecuteInfo;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.StatefulBoltExecutor;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tasks of a bolt that one executor has. One call at a time. */
final class BoltExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(BoltExecutor.class);
    private static final long NS_PER_MS = 1_000_000;

    private record Instance(int task, IBolt bolt, TopologyContext context, BoltCollector collector) {}

    private final Host host;
    private final Layout.Component component;
    private final List<Instance> instances = new ArrayList<>();
    private final Counts counts;
    private final boolean debug;
    private final boolean threaded;

    /**
     * @param onward gets what the bolts emit, on any thread
     * @param onFailure gets what fails between two calls, on any thread
     */
    BoltExecutor(Host host, String id, int executor, Consumer<DoorTuple> onward, Consumer<Throwable> onFailure) {
        this.host = host;
        component = host.layout.component(id).ofExecutor();
        debug = Boolean.TRUE.equals(component.conf().get(Config.TOPOLOGY_DEBUG));
        counts = host.counts(id, executor);
        if (host.backTo(id, executor) == null) { // else a thread of its own calls the bolts, too
            begin();
        }
        Map<String, Object> executorData = new HashMap<>();
        boolean any = false;
        for (int task : component.executors().get(executor)) {
            TopologyContext context = host.context(component, task, executorData);
            Outgoing outgoing = new Outgoing(host, component, task, context, counts, onward);
            IBolt bolt = Multilang.bolt(
                    Components.bolt(host.layout, component, host.loader), component.conf(), host::python);
            BoltCollector collector = new BoltCollector(host, task, context, counts, outgoing, debug);
            any |= bolt instanceof ShellBolt || bolt instanceof Multilang.Failing;
            if (bolt instanceof Multilang.Failing failing) {
                failing.onFailure(onFailure);
                failing.emitBy(collector::emit);
            }
            instances.add(new Instance(task, bolt, context, collector));
        }
        threaded = any;
        if (!threaded && !host.acks()) {
            counts.mayAckNothing();
        }
    }

    /** The current thread counts from now on, and no other. */
    void begin() {
        counts.begin();
    }

    /** True if its bolts are known to emit from threads of their own. */
    boolean threaded() {
        return threaded;
    }

    /** Tuples that were executed and are neither acked nor failed. */
    long open() {
        return counts.open();
    }

    void prepare() {
        for (Instance each : instances) {
            Host.giveCredentials(each.bolt);
            each.bolt.prepare(
                    DrpcFunction.conf(each.bolt, component.conf()), each.context, new OutputCollector(each.collector));
        }
    }

    /** @param place of the task within the executor */
    void execute(int place, DoorTuple tuple) {
        execute(instances.get(place), tuple, true);
    }

    /** Each task gets a tick. */
    void tick(int everySecs) {
        for (Instance each : instances) {
            execute(
                    each,
                    new DoorTuple(
                            Objects.requireNonNull(host.layout.place(each.task)),
                            host.context(),
                            List.of(everySecs),
                            Constants.SYSTEM_COMPONENT_ID,
                            (int) Constants.SYSTEM_TASK_ID,
                            Constants.SYSTEM_TICK_STREAM_ID,
                            MessageId.makeUnanchored()),
                    false);
        }
    }

    private void execute(Instance instance, DoorTuple tuple, boolean counted) {
        if (debug) {
            LOG.info("Processing received TUPLE: {} for TASK: {}", tuple, instance.task);
        }
        Counts.Received from = counts.received(tuple);
        boolean sampled = counted && from.sampler.takes();
        boolean hooked = !instance.context.getHooks().isEmpty();
        boolean timed = sampled || hooked || debug;
        if (timed) {
            tuple.begunNs = host.nowNs();
            tuple.sampled = sampled;
        }
        if (counted) {
            counts.begun.increment();
        }
        Tuple given = instance.bolt instanceof StatefulBoltExecutor ? tuple.plain() : tuple;
        try {
            instance.bolt.execute(given);
        } finally {
            host.checkState(); // which may be why it throws
        }
        if (counted) {
            from.executed.increment();
        }
        if (!timed) {
            return;
        }
        long tookNs = host.nowNs() - tuple.begunNs;
        if (sampled) {
            counts.execute.addAlone(tookNs);
            from.execute.add(tookNs);
        }
        if (hooked) {
            new BoltExecuteInfo(given, instance.task, tookNs / NS_PER_MS).applyOn(instance.context);
        }
    }

    /** Cleans up all, even if one fails. */
    void cleanup() {
        Closing closing = new Closing();
        for (Instance each : instances) {
            each.collector.end();
            closing.run(each.bolt::cleanup);
            each.context.getHooks().forEach(hook -> closing.run(hook::cleanup));
        }
        closing.end();
    }
}
