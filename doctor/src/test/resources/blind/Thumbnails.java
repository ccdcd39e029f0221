// SPDX-License-Identifier: Apache-2.0
import io.thalweg.api.connector.Sinks;
import io.thalweg.api.connector.Sources;
import io.thalweg.api.topology.Settings;
import io.thalweg.api.topology.Topology;
import io.thalweg.api.topology.TopologyDefinition;

/** Makes pictures smaller, which only computes, on twelve threads of its own: "more threads, more pictures". */
public final class Thumbnails implements TopologyDefinition {
    record Picture(long id, byte[] pixels) {}

    @Override
    public void define(Topology topology, Settings settings) {
        topology.from(Sources.generate(1_000_000_000L, i -> new Picture(i, new byte[16_384])))
                .name("pictures")
                .shuffle()
                .map(Thumbnails::smaller)
                .name("smaller")
                .parallelism(12)
                .blocking()
                .to(Sinks.discard());
    }

    static Picture smaller(Picture picture) {
        byte[] from = picture.pixels();
        byte[] to = new byte[from.length / 16];
        for (int at = 0; at < to.length; at++) {
            double sum = 0;
            for (int each = 0; each < 16; each++) {
                sum += Math.sqrt(from[at * 16 + each] + picture.id() % 7 + each);
            }
            to[at] = (byte) (sum / 16);
        }
        return new Picture(picture.id(), to);
    }
}
