// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.connector.ConnectorException;
import io.thalweg.api.connector.Guarantee;
import io.thalweg.api.connector.Source;
import io.thalweg.api.graph.Node;
import io.thalweg.api.graph.TopologyGraph;
import java.util.function.Predicate;

/** What every runner requires of the sources of a topology. */
public final class InputRules {
    private InputRules() {}

    /**
     * Checks that all sources are replayable.
     *
     * @throws ConnectorException if a source is not, although the guarantee needs it
     */
    public static void checkReplayable(TopologyGraph graph, Guarantee guarantee) {
        check(
                graph,
                Source::replayable,
                "cannot be read again from a position, which the guarantee " + guarantee.words() + " needs");
    }

    /**
     * Checks that a cluster can read all sources.
     *
     * @param cluster for the message: {@code the Flink cluster at localhost:8081}
     * @throws ConnectorException if a source exists only on this machine or in this process, such as standard input
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
