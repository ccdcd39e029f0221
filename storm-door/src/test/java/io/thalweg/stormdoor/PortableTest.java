// SPDX-License-Identifier: Apache-2.0
package io.thalweg.stormdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.thalweg.api.codec.ByteReader;
import io.thalweg.api.codec.ByteWriter;
import io.thalweg.api.graph.TopologyException;
import io.thalweg.api.graph.TopologyGraph;
import io.thalweg.run.JobLibraries;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What travels to other processes, and what cannot; the module flink runs it. */
final class PortableTest {
    private static final Map<String, Object> UNACKED = Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0);

    private final Journal journal = new Journal();

    @AfterEach
    void end() {
        journal.forget();
    }

    private TopologyBuilder numbers() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("numbers", new Numbers(journal, 10));
        return topology;
    }

    private Script passing() {
        return new Script(journal, (tuple, scene) -> scene.collector.ack(tuple)).emits("n");
    }

    private static void shouldRefuse(TopologyBuilder topology, Map<String, Object> conf, String... words) {
        StormDoor door = StormDoor.of(topology.createTopology(), conf);
        assertThatThrownBy(door::portable)
                .isInstanceOf(TopologyException.class)
                .hasMessageContainingAll(words)
                .message()
                .doesNotContain("\n");
    }

    // ---- what is refused

    @Test
    void shouldRefuseAcks_andSayWhatToSet() {
        TopologyBuilder topology = numbers();
        topology.setBolt("end", passing()).shuffleGrouping("numbers");
        shouldRefuse(topology, Map.of(), "acked", "topology.acker.executors is 1 if it is not set", "set it to 0");
        shouldRefuse(
                topology, Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 3), "topology.acker.executors is 3)", "set it to 0");
    }

    @Test
    void shouldRefuseAStreamThatLeadsBack() {
        TopologyBuilder topology = numbers();
        topology.setBolt("round", passing()).shuffleGrouping("numbers").shuffleGrouping("round");
        shouldRefuse(topology, UNACKED, "'round'", "stream 'default' of 'round' leads back");
    }

    @Test
    void shouldRefuseAStatefulBolt() {
        TopologyBuilder topology = numbers();
        topology.setBolt("sum", new StormSemantics.Sum(journal)).fieldsGrouping("numbers", new Fields("key"));
        shouldRefuse(topology, UNACKED, "'sum'", "stateful bolt");
    }

    @Test
    void shouldRefuseAFolderForState() {
        TopologyBuilder topology = numbers();
        topology.setBolt("end", passing()).shuffleGrouping("numbers");
        Map<String, Object> conf = new HashMap<>(UNACKED);
        conf.put(StormDoor.STATE_DIRECTORY, "state");
        shouldRefuse(topology, conf, StormDoor.STATE_DIRECTORY);
    }

    @Test
    void shouldRefuseSettingsThatAreNoJson() {
        TopologyBuilder topology = numbers();
        topology.setBolt("end", passing()).shuffleGrouping("numbers");
        Map<String, Object> conf = new HashMap<>(UNACKED);
        conf.put("mine", new BitSet());
        shouldRefuse(topology, conf, "JSON");
    }

    @Test
    void shouldRefuseScriptsThatAreTooManyToSend(@TempDir Path resources) throws Exception {
        TopologyBuilder topology = numbers();
        topology.setBolt("end", passing()).shuffleGrouping("numbers");
        Files.write(resources.resolve("large"), new byte[(4 << 20) + 1]);
        assertThatThrownBy(() -> door(
                                topology.createTopology(), resources, getClass().getClassLoader())
                        .portable())
                .isInstanceOf(TopologyException.class)
                .hasMessageContaining("4 MiB");
    }

    private static StormDoor door(StormTopology topology, Path resources, ClassLoader loader) {
        return StormDoor.of("door", topology, UNACKED, resources, loader);
    }

    // ---- what travels

    @SuppressWarnings("unchecked")
    private static <T> T sent(T object) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (T) in.readObject();
        }
    }

    private static PortableTopology topologyOf(TopologyGraph graph) {
        return ((PortableSpout) (Object) graph.nodes().get(0).spec().source()).topology();
    }

    /** Scripts that are in a jar come from there; others are sent. */
    @Test
    void shouldFindItsScriptsAgain(@TempDir Path resources) throws Exception {
        TopologyBuilder topology = numbers();
        Path inJar = Path.of(getClass().getResource("/resources/split.py").toURI());
        Files.copy(inJar, resources.resolve("split.py"));
        Files.createDirectories(resources.resolve("more"));
        Files.writeString(resources.resolve("more/own.py"), "print()");
        StormDoor door = door(topology.createTopology(), resources, getClass().getClassLoader());
        PortableTopology arrived = sent(topologyOf(door.portable()));
        Host host = arrived.join();
        Path code = Path.of(host.context().getCodeDir());
        assertThat(code.resolve("split.py")).hasSameBinaryContentAs(inJar);
        assertThat(code.resolve("more/own.py")).hasContent("print()");
        arrived.leave();
        assertThat(code).doesNotExist();
    }

    @Test
    void shouldShareAHostInAProcess_untilTheLastTaskHasLeft() throws Exception {
        TopologyGraph graph = StormDoor.of(numbers().createTopology(), UNACKED).portable();
        PortableTopology one = sent(topologyOf(graph));
        PortableTopology other = sent(topologyOf(graph));
        Host host = one.join();
        assertThat(other.join()).isSameAs(host);
        one.leave();
        assertThat(host.ended()).isFalse();
        other.leave();
        assertThat(host.ended()).isTrue();
        Host next = one.join();
        assertThat(next).isNotSameAs(host);
        one.leave();
    }

    /** Nobody but the bytes of the topology has them. */
    @Test
    void shouldBeSentWithTheClassesOfItsComponents() {
        TopologyGraph graph = StormDoor.of(numbers().createTopology(), UNACKED).portable();
        Path its = Path.of(Numbers.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        assertThat(JobLibraries.of(graph, List.of())).contains(its);
    }

    private static SerializedTuple travelled(SerializedTuple parcel) {
        ByteWriter out = new ByteWriter(16);
        SerializedTuple.TYPE.codec().encode(parcel, out);
        return SerializedTuple.TYPE.codec().decode(new ByteReader(out.toByteArray()));
    }

    @Test
    void shouldCarryATuple() throws Exception {
        TopologyBuilder topology = numbers();
        topology.setBolt("end", passing(), 2).setNumTasks(4).allGrouping("numbers");
        PortableTopology portable =
                topologyOf(StormDoor.of(topology.createTopology(), UNACKED).portable());
        Host host = portable.join();
        int from = host.layout.component("numbers").tasks().get(0);
        List<Object> values = List.of(7, "seven", new ArrayList<>(List.of(1L, 2.5)));
        Layout.Place place = host.layout.place("end", 1, 0);
        DoorTuple tuple =
                new DoorTuple(place, host.context(), values, "numbers", from, "default", MessageId.makeUnanchored());
        Packing packing = new Packing(host);
        SerializedTuple parcel = travelled(packing.pack(tuple));
        DoorTuple arrived = packing.unpack(parcel);
        assertThat(List.of(parcel.to(), parcel.task(), parcel.place())).containsExactly("end", 1, 0);
        assertThat(arrived.getValues()).isEqualTo(values);
        assertThat(List.of(arrived.getSourceComponent(), arrived.getSourceTask(), arrived.getSourceStreamId()))
                .containsExactly("numbers", from, "default");
        DoorTuple strange = new DoorTuple(
                place,
                host.context(),
                List.of(1, 2, new BitSet()),
                "numbers",
                from,
                "default",
                MessageId.makeUnanchored());
        assertThatThrownBy(() -> packing.pack(strange))
                .hasMessageContainingAll("'numbers'", "BitSet", "topology.kryo.register")
                .message()
                .doesNotContain("\n");
        portable.leave();
    }
}
