// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.function.Predicate;

/** What a run asks of the sources of its topology, on every road. */
public final class InputRules {
    private InputRules() {}

    /** @throws ConnectorException if a source cannot be read again from a position, which the guarantee needs */
    public static void checkReplayable(TopologyGraph graph, Guarantee guarantee) {
        check(
                graph,
                Source::replayable,
                "cannot be read again from a position, which the guarantee " + guarantee.words() + " needs");
    }

    /**
     * @param cluster {@code the Flink cluster at localhost:8081}
     * @throws ConnectorException if a source is to be had on this machine, or in this process, alone
     */
    public static void checkReachable(TopologyGraph graph, String cluster) {
        check(
                graph,
                source -> source.readOnce().isEmpty(),
                "can be read only here and only once, not by " + cluster
                        + "; write it to a file that the cluster sees, or run the job in this process");
    }

    private static void check(TopologyGraph graph, Predicate<Source<?>> rule, String problem) {
        for (Node node : graph.nodes()) {
            Source<Object> source = node.spec().source();
            if (source != null && !rule.test(source)) {
                throw new ConnectorException("topology '" + graph.name() + "', operator '" + node.name()
                        + "': the source " + source.name() + " " + problem);
            }
        }
    }
}
