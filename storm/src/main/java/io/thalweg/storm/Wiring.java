// SPDX-License-Identifier: Apache-2.0
package io.thalweg.storm;

import io.thalweg.engine.HostedPlan;
import io.thalweg.run.AckSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.jspecify.annotations.Nullable;

/** Makes the Storm topology of a plan: a component for each chain, a stream for each edge between, and the watch bolt. */
final class Wiring {
    private static final int TASKS_A_MS = 8;
    private static final int MOST_PATIENT_MS = 20;

    private Wiring() {}

    /** @param acks null if tuples are not acked */
    static StormTopology topology(HostedPlan plan, JobDescriptor descriptor, @Nullable AckSettings acks) {
        TopologyBuilder builder = new TopologyBuilder();
        BoltDeclarer watch = builder.setBolt(TaskHost.WATCH, new WatchBolt(descriptor), 1);
        for (HostedPlan.Part part : plan.parts()) {
            String component = TaskHost.component(part.number());
            if (part.reads()) {
                int pending = acks == null ? 0 : acks.maxPending();
                builder.setSpout(
                        component,
                        new ChainSpout(descriptor, part.number(), pending, streams(plan, part)),
                        part.parallelism());
            } else {
                BoltDeclarer bolt = builder.setBolt(
                        component, new ChainBolt(descriptor, part.number(), streams(plan, part)), part.parallelism());
                bolt.directGrouping(TaskHost.WATCH, TaskHost.ORDERS);
                for (HostedPlan.Link link : plan.links()) {
                    if (link.to() == part.number()) {
                        bolt.directGrouping(TaskHost.component(link.from()), TaskHost.stream(link.number()));
                    }
                }
            }
            watch.globalGrouping(component, TaskHost.NOTES);
        }
        return builder.createTopology();
    }

    /** The streams to which a part sends records. */
    private static List<String> streams(HostedPlan plan, HostedPlan.Part part) {
        return plan.links().stream()
                .filter(link -> link.from() == part.number())
                .map(link -> TaskHost.stream(link.number()))
                .distinct()
                .toList();
    }

    /** Declares the streams of a component that runs a chain. */
    static void declare(List<String> streams, OutputFieldsDeclarer declarer) {
        for (String stream : streams) {
            declarer.declareStream(stream, true, new Fields("value"));
        }
        declarer.declareStream(TaskHost.NOTES, new Fields("message"));
    }

    static Map<String, Object> ticking() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
    }

    /** @param acks null if tuples are not acked */
    static Map<String, Object> config(int workers, @Nullable AckSettings acks) {
        Config config = new Config();
        config.setNumWorkers(workers);
        config.setNumAckers(acks == null ? 0 : workers);
        if (acks != null) {
            config.setMaxSpoutPending(acks.maxPending());
            config.setMessageTimeoutSecs((int) Math.max(1, (acks.timeout().toMillis() + 999) / 1000));
        }
        config.setFallBackOnJavaSerialization(false);
        config.registerSerialization(TupleValue.class, TupleValue.KryoSerializer.class);
        config.registerSerialization(ControlMessage.class, ControlMessage.KryoSerializer.class);
        config.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        config.put(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, 0);
        config.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, IdleBolt.class.getName());
        return new HashMap<>(config);
    }

    /**
     * How long idle tasks of a local cluster sleep: longer if there are many tasks on few cores, because polling alone
     * would keep the machine busy.
     *
     * @param tasks of the job
     */
    static Map<String, Object> patience(int tasks) {
        int sleepMs = Math.max(1, Math.min(MOST_PATIENT_MS, tasks / TASKS_A_MS));
        return Map.of(
                Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL2_COUNT,
                sleepMs > 1 ? 0 : 100,
                Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL3_SLEEP_MILLIS,
                sleepMs,
                Config.TOPOLOGY_SPOUT_WAIT_PROGRESSIVE_LEVEL3_SLEEP_MILLIS,
                sleepMs);
    }

    /** The message that a task could not be opened. */
    static ControlMessage failed(JobDescriptor descriptor, int part, TopologyContext context, Throwable thrown) {
        String topology = context.getStormId();
        String task = TaskHost.component(part) + "[" + context.getThisTaskIndex() + "]";
        return ControlMessage.of(ControlMessage.Kind.FAILED, 0, 0, HostedPlan.failure(topology, task, thrown));
    }
}
