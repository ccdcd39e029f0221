// SPDX-License-Identifier: Apache-2.0
//DEPS com.fasterxml.jackson.core:jackson-databind:2.21.2
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.operator.Aggregates;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Flattens the JSON of network probes with Jackson's tree, and sums their bytes by region. */
public final class Probes implements TopologyDefinition {
    record Flat(String region, String rat, long bytes) {}

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, Probes::json).splitInto(4))
                .name("probes")
                .map(Probes::flatten)
                .name("flatten")
                .filter(flat -> !flat.rat().equals("2G"))
                .name("modern")
                .keyBy(Flat::region)
                .aggregate(Aggregates.sum(Flat::bytes))
                .name("bytes")
                .to(Sinks.discard());
    }

    static final byte[] TAIL = ("\",\"user\":{\"imsi\":\"262011234567890\",\"device\":{\"vendor\":\"acme\",\"model\":\"x-9\","
                    + "\"os\":\"robot 9.1\"},\"plan\":\"flat-5\"},\"cell\":{\"id\":71234,\"lat\":52.52341,\"lon\":13.41187,"
                    + "\"rat\":\"4G\"},\"traffic\":{\"up\":12345,\"down\":987654,\"packets\":{\"up\":120,\"down\":870,\"lost\":3}},"
                    + "\"tags\":[\"video\",\"roaming\",\"evening\"],\"times\":[1,5,19,112,330],\"ok\":true}")
            .getBytes(StandardCharsets.UTF_8);

    static byte[] json(long i) {
        byte[] head = ("{\"time\":" + (1_517_900_000_000L + i) + ",\"region\":\"r" + i % 40)
                .getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[head.length + TAIL.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(TAIL, 0, all, head.length, TAIL.length);
        return all;
    }

    static Flat flatten(byte[] json) throws IOException {
        JsonNode tree = MAPPER.readTree(json);
        long bytes = tree.path("traffic").path("up").asLong() + tree.path("traffic").path("down").asLong();
        return new Flat(tree.path("region").asText(), tree.path("cell").path("rat").asText(), bytes);
    }
}
