// SPDX-License-Identifier: Apache-2.0
package io.thalweg.lab.storm.doctor;

import static org.apache.storm.Config.TOPOLOGY_ACKER_EXECUTORS;
import static org.apache.storm.Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION;
import static org.apache.storm.Config.TOPOLOGY_MAX_SPOUT_PENDING;
import static org.apache.storm.Config.TOPOLOGY_WORKERS;

import io.thalweg.lab.storm.doctor.BlindParts.Calls;
import io.thalweg.lab.storm.doctor.BlindParts.Digest;
import io.thalweg.lab.storm.doctor.BlindParts.Passes;
import io.thalweg.lab.storm.doctor.BlindParts.Tariff;
import io.thalweg.lab.storm.doctor.BlindParts.Totals;
import io.thalweg.lab.storm.doctor.NativeParts.Nothing;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** The blind half of Storm's topologies: written by someone who had not read the doctor's rules, before any of them was run. */
final class BlindTopologies {
    private static final int SECONDS = 30;
    private static final String CALLS = "calls";
    private static final Fields CUSTOMER = new Fields("customer");

    private BlindTopologies() {}

    static List<NativeTopology> all() {
        return List.of(
                of("blind-digest", List.of("parallelism"), Map.of(), digest()),
                of(
                        "blind-one-customer",
                        List.of("skewed-keys"),
                        Map.of(TOPOLOGY_MAX_SPOUT_PENDING, 1_000),
                        customers()),
                of(
                        "blind-java-objects",
                        List.of("java-serialization", "several-workers"),
                        Map.of(TOPOLOGY_WORKERS, 2, TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true),
                        objects()),
                of("blind-tariffs", List.of("parallelism"), Map.of(TOPOLOGY_MAX_SPOUT_PENDING, 2_000), tariffs()),
                of("blind-ackers", List.of("needless-ackers"), Map.of(TOPOLOGY_ACKER_EXECUTORS, 8), acked()),
                of(
                        "blind-healthy-calls",
                        List.of(),
                        Map.of(TOPOLOGY_MAX_SPOUT_PENDING, 1_000, TOPOLOGY_ACKER_EXECUTORS, 1),
                        acked()));
    }

    private static NativeTopology of(
            String name, List<String> faults, Map<String, Object> settings, StormTopology topology) {
        return new NativeTopology(name, faults, SECONDS, settings, topology);
    }

    /** One executor computes more than it can. */
    private static StormTopology digest() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(CALLS, new Calls(5_000, false, 0, false));
        storm.setBolt("digest", new Digest()).shuffleGrouping(CALLS);
        storm.setBolt("out", new Nothing()).shuffleGrouping("digest");
        return storm.createTopology();
    }

    /** Seven of ten calls are of one customer, whose executor takes 333 of 560 a second. */
    private static StormTopology customers() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(CALLS, new Calls(800, true, 7, false));
        storm.setBolt("rate", new Passes(), 2).shuffleGrouping(CALLS);
        storm.setBolt("totals", new Totals(), 3).fieldsGrouping("rate", CUSTOMER);
        return storm.createTopology();
    }

    private static StormTopology objects() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(CALLS, new Calls(6_000, false, 0, true));
        storm.setBolt("worth", new Passes(), 2).fieldsGrouping(CALLS, CUSTOMER);
        storm.setBolt("out", new Nothing(), 2).fieldsGrouping("worth", CUSTOMER);
        return storm.createTopology();
    }

    /** Two executors wait for a service: 300 a second of 900. */
    private static StormTopology tariffs() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(CALLS, new Calls(900, true, 0, false));
        storm.setBolt("tariff", new Tariff(), 2).shuffleGrouping(CALLS);
        storm.setBolt("out", new Nothing()).shuffleGrouping("tariff");
        return storm.createTopology();
    }

    private static StormTopology acked() {
        TopologyBuilder storm = new TopologyBuilder();
        storm.setSpout(CALLS, new Calls(300, true, 0, false));
        storm.setBolt("worth", new Passes(), 2).localOrShuffleGrouping(CALLS);
        storm.setBolt("out", new Nothing()).localOrShuffleGrouping("worth");
        return storm.createTopology();
    }
}
