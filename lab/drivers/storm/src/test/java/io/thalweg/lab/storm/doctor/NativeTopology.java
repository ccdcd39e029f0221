// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import static org.apache.storm.Config.TOPOLOGY_ACKER_EXECUTORS;
import static org.apache.storm.Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS;
import static org.apache.storm.Config.TOPOLOGY_DEBUG;
import static org.apache.storm.Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING;
import static org.apache.storm.Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION;
import static org.apache.storm.Config.TOPOLOGY_MAX_SPOUT_PENDING;
import static org.apache.storm.Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS;
import static org.apache.storm.Config.TOPOLOGY_PRODUCER_BATCH_SIZE;
import static org.apache.storm.Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE;
import static org.apache.storm.Config.TOPOLOGY_WORKERS;
import static org.apache.storm.Config.TOPOLOGY_WORKER_CHILDOPTS;

import io.thalweg.lab.storm.doctor.NativeParts.Nothing;
import io.thalweg.lab.storm.doctor.NativeParts.Numbers;
import io.thalweg.lab.storm.doctor.NativeParts.Pause;
import io.thalweg.lab.storm.doctor.NativeParts.Sums;
import io.thalweg.lab.storm.doctor.NativeParts.Wrong;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Fields;

/**
 * A topology of Storm's own API.
 *
 * @param name also its name in Storm
 * @param faults rules that must find something; the first finding is one of them
 * @param seconds for which it is watched
 * @param settings of the topology
 * @param topology itself
 */
record NativeTopology(
        String name, List<String> faults, int seconds, Map<String, Object> settings, StormTopology topology) {
    private static final String SPOUT = "numbers";
    private static final int PACE = 400;
    private static final int SECONDS = 30;
    private static final int LONG = 75;

    static List<NativeTopology> all() {
        return List.of(
                of("slow-bolt", List.of("parallelism"), Map.of(), slow(Numbers.unreliable(2L * PACE))),
                of("skewed-keys", List.of("skewed-keys"), Map.of(), skewed()),
                of("slow-executor", List.of("slow-task"), Map.of(), slowExecutor()),
                of(
                        "timeouts",
                        List.of("timeouts", "parallelism"),
                        Map.of(TOPOLOGY_MESSAGE_TIMEOUT_SECS, 5),
                        slow(Numbers.reliable(2L * PACE))),
                of(
                        "unbounded-pending",
                        List.of("unbounded-pending", "parallelism"),
                        Map.of(TOPOLOGY_MESSAGE_TIMEOUT_SECS, 30),
                        slow(Numbers.reliable(PACE).after(25L * PACE))),
                of("small-pending", List.of("max-pending"), Map.of(TOPOLOGY_MAX_SPOUT_PENDING, 2), stages()),
                of("failing", List.of("failed-tuples"), Map.of(), wrong(Wrong.What.FAILS, 5)),
                of(
                        "unacked",
                        List.of("unacked-tuples"),
                        Map.of(TOPOLOGY_MESSAGE_TIMEOUT_SECS, 5),
                        wrong(Wrong.What.FORGETS, 4)),
                of("reporting", List.of("errors"), Map.of(), wrong(Wrong.What.REPORTS, 500)),
                new NativeTopology("dying", List.of("restarts"), LONG, Map.of(), wrong(Wrong.What.DIES, 15 * PACE)),
                of(
                        "no-room",
                        List.of("not-running"),
                        Map.of(TOPOLOGY_WORKER_CHILDOPTS, "-Xms100000g -Xmx100000g"),
                        paced()),
                of("many-ackers", List.of("needless-ackers"), Map.of(TOPOLOGY_ACKER_EXECUTORS, 6), paced()),
                of(
                        "two-workers",
                        List.of("several-workers", "java-serialization"),
                        Map.of(TOPOLOGY_WORKERS, 2, TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true),
                        byKey(12L * PACE)),
                of(
                        "shuffled-away",
                        List.of("several-workers", "remote-shuffle"),
                        Map.of(TOPOLOGY_WORKERS, 2, TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true),
                        shuffled(12L * PACE)),
                of("one-by-one", List.of("small-batches"), Map.of(), flatOut()),
                of(
                        "large-batches",
                        List.of("large-batches"),
                        Map.of(TOPOLOGY_PRODUCER_BATCH_SIZE, 1_000, TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 0),
                        paced()),
                of("logging", List.of("debug"), Map.of(TOPOLOGY_DEBUG, true), paced()),
                of(
                        "serializing",
                        List.of("always-serialized"),
                        Map.of(TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true),
                        byKey(5L * PACE)),
                of("healthy-paced", List.of(), Map.of(), paced()),
                of("healthy-acked", List.of(), Map.of(TOPOLOGY_MAX_SPOUT_PENDING, 500), acked()),
                of("healthy-two-workers", List.of(), Map.of(TOPOLOGY_WORKERS, 2), shuffled(PACE)),
                of("healthy-windows", List.of(), Map.of(), windows()));
    }

    private static NativeTopology of(
            String name, List<String> faults, Map<String, Object> settings, StormTopology topology) {
        return new NativeTopology(name, faults, SECONDS, settings, topology);
    }

    private static StormTopology slow(Numbers numbers) {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, numbers);
        storm.setBolt("score", Pause.of(2_000)).shuffleGrouping(SPOUT);
        storm.setBolt("out", new Nothing()).shuffleGrouping("score");
        return storm.createTopology();
    }

    private static StormTopology skewed() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(2L * PACE).skewedTo(17));
        storm.setBolt("count", Pause.of(2_000), 4).fieldsGrouping(SPOUT, new Fields("key"));
        storm.setBolt("out", new Nothing()).shuffleGrouping("count");
        return storm.createTopology();
    }

    private static StormTopology slowExecutor() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(4L * PACE));
        storm.setBolt("enrich", Pause.ofOneTask(8_000), 4).shuffleGrouping(SPOUT);
        storm.setBolt("out", new Nothing()).shuffleGrouping("enrich");
        return storm.createTopology();
    }

    private static StormTopology stages() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.reliable(0));
        storm.setBolt("first", Pause.of(4_000), 4).shuffleGrouping(SPOUT);
        storm.setBolt("second", Pause.of(4_000), 4).shuffleGrouping("first");
        storm.setBolt("third", Pause.of(4_000), 4).shuffleGrouping("second");
        storm.setBolt("out", new Nothing()).shuffleGrouping("third");
        return storm.createTopology();
    }

    private static StormTopology wrong(Wrong.What what, int oneOf) {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.reliable(PACE));
        storm.setBolt("store", new Wrong(what, oneOf)).shuffleGrouping(SPOUT);
        return storm.createTopology();
    }

    private static StormTopology paced() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(PACE));
        storm.setBolt("double", Pause.of(0), 2).shuffleGrouping(SPOUT);
        storm.setBolt("out", new Nothing()).shuffleGrouping("double");
        return storm.createTopology();
    }

    private static StormTopology acked() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.reliable(PACE));
        storm.setBolt("double", Pause.of(200), 2).fieldsGrouping(SPOUT, new Fields("key"));
        storm.setBolt("out", new Nothing()).localOrShuffleGrouping("double");
        return storm.createTopology();
    }

    private static StormTopology byKey(long perSecond) {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(perSecond));
        storm.setBolt("count", Pause.of(0), 2).fieldsGrouping(SPOUT, new Fields("key"));
        storm.setBolt("out", new Nothing(), 2).localOrShuffleGrouping("count");
        return storm.createTopology();
    }

    private static StormTopology shuffled(long perSecond) {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(perSecond / 2), 2);
        storm.setBolt("enrich", Pause.of(0), 2).shuffleGrouping(SPOUT);
        storm.setBolt("out", new Nothing(), 2).localOrShuffleGrouping("enrich");
        return storm.createTopology();
    }

    private static StormTopology flatOut() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.unreliable(0));
        storm.setBolt("out", new Nothing()).shuffleGrouping(SPOUT);
        return storm.createTopology();
    }

    private static StormTopology windows() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(SPOUT, Numbers.reliable(PACE));
        storm.setBolt("sums", new Sums().withTumblingWindow(BaseWindowedBolt.Duration.seconds(1)))
                .shuffleGrouping(SPOUT);
        storm.setBolt("out", new Nothing()).shuffleGrouping("sums");
        return storm.createTopology();
    }
}
