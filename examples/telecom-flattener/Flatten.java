// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Stream;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import io.thalweg.api.window.WindowResult;
import io.thalweg.api.window.Windows;
import io.thalweg.files.JsonLines;
import io.thalweg.files.TextLines;
import io.thalweg.workloads.telecom.Probe;
import java.util.HashMap;
import java.util.Map;

//DEPS com.fasterxml.jackson.core:jackson-databind:2.22.4

/**
 * Flattens the nested JSON of network probes, 82 fields each, and sums their bytes by region: the two bolts of the study
 * telecom-2015, with its flattener as one writes it first, and with a declared record.
 *
 * <p>Settings: {@code in=FILE}, which {@code Telecom.java} writes with {@code save=FILE}, and {@code reader=tree|record}.
 */
public final class Flatten implements TopologyDefinition {
    enum Reader {
        TREE,
        RECORD
    }

    record Traffic(String region, long bytes) {}

    @Override
    public void define(Topology topology, Settings settings) {
        String in = settings.required("in");
        Stream<Traffic> traffic = settings.choice("reader", Reader.TREE) == Reader.TREE
                ? withTree(topology, in)
                : withRecord(topology, in);
        traffic.keyBy(Traffic::region)
                .window(Windows.whole())
                .aggregate(Aggregates.sum(Traffic::bytes))
                .name("sum")
                .to(Sinks.<WindowResult<String, Long>>table("Bytes by region")
                        .sortedBy((a, b) -> a.key().compareTo(b.key())));
    }

    // region tree
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static Stream<Traffic> withTree(Topology topology, String in) {
        return topology.from(TextLines.read(in))
                .name("lines")
                .map(Flatten::flat)
                .name("flatten")
                .map(flat -> new Traffic(flat.get("region"), Long.parseLong(flat.get("bytesUp"))))
                .name("traffic");
    }

    private static Map<String, String> flat(String line) throws JsonProcessingException {
        Map<String, String> flat = new HashMap<>();
        collect(MAPPER.readTree(line), flat);
        return flat;
    }

    private static void collect(JsonNode node, Map<String, String> flat) {
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (field.getValue().isObject()) {
                collect(field.getValue(), flat);
            } else {
                flat.put(field.getKey(), field.getValue().asText());
            }
        }
    }
    // endregion

    // region record
    private static Stream<Traffic> withRecord(Topology topology, String in) {
        return topology.from(JsonLines.read(in, Probe.class))
                .name("flatten")
                .map(probe ->
                        new Traffic(probe.cell().region(), probe.measures().bytesUp()))
                .name("traffic");
    }
    // endregion
}
