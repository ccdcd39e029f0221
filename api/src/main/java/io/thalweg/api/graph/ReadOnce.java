// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.connector.LiveSource;
import io.thalweg.api.connector.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Refuses topologies in which several tasks would share what can be read only once, each getting a part of it, and tables that
 * have no end.
 */
final class ReadOnce {
    private ReadOnce() {}

    static void check(String topology, List<Node> nodes) {
        Map<String, String> readers = new HashMap<>();
        for (Node node : nodes) {
            Source<Object> table = node.spec().table();
            if (table != null && !table.readOnce().isEmpty()) {
                throw new TopologyException(
                        topology,
                        node.name(),
                        "each of its tasks reads the table from its beginning, and " + table.name()
                                + " can be read only once; write it to a file first");
            }
            if (table instanceof LiveSource<Object>) {
                throw new TopologyException(
                        topology,
                        node.name(),
                        "the table is read to its end before the first record, and " + table.name()
                                + " is a live source; read it as a stream, and connect or join the two");
            }
            Source<Object> source = node.spec().source();
            if (source != null) {
                check(topology, node.name(), source, readers);
            }
        }
    }

    private static void check(String topology, String operator, Source<?> source, Map<String, String> readers) {
        for (String once : source.readOnce()) {
            @Nullable String other = readers.putIfAbsent(once, operator);
            if (other != null) {
                throw new TopologyException(
                        topology,
                        operator,
                        "it reads " + source.name() + ", which operator '" + other
                                + "' reads too, and can be read only once; read it with one source and lead its stream"
                                + " to both");
            }
        }
    }
}
