// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.io.Serializable;
import java.util.BitSet;
import java.util.stream.Stream;

/**
 * Determines which sources of a graph are still needed when some of its limits have been reached: those from which a
 * path leads to a sink without passing such a limit, also by streams that lead back. Nodes are identified by {@link Node#id()}.
 */
public final class Demand implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Of each node, those that it leads to or back to; none of a sink. */
    private final int[][] outputs;

    private final BitSet limits = new BitSet();

    /** Those from which no way leads to a sink, such as loops without one: a limit elsewhere says nothing of them. */
    private final BitSet withoutSink = new BitSet();

    private Demand(TopologyGraph graph) {
        outputs = new int[graph.nodes().size()][];
        for (Node node : graph.nodes()) {
            outputs[node.id()] = Stream.concat(graph.edges().stream(), graph.feedback().stream())
                    .filter(edge -> edge.from() == node.id())
                    .mapToInt(Edge::to)
                    .toArray();
            limits.set(node.id(), node.spec().wantsNoMore());
        }
        withoutSink.or(unwanted(new BitSet()));
    }

    /** The demand of a graph in which no limit has been reached. */
    public static Demand of(TopologyGraph graph) {
        return new Demand(graph);
    }

    /** The nodes that may report that they need no more input; a copy. */
    public BitSet limits() {
        return (BitSet) limits.clone();
    }

    /**
     * The nodes whose output nobody needs any more.
     *
     * @param reached limits that need no more input
     */
    public BitSet unwanted(BitSet reached) {
        BitSet unwanted = new BitSet();
        unwanted.set(0, outputs.length);
        for (boolean fewer = true; fewer; ) { // more than one round only for streams that lead back
            int before = unwanted.cardinality();
            for (int node = outputs.length - 1; node >= 0; node--) { // those behind have greater numbers
                boolean wanted = outputs[node].length == 0;
                for (int to : outputs[node]) {
                    wanted |= !unwanted.get(to);
                }
                if (wanted && !reached.get(node)) {
                    unwanted.clear(node);
                }
            }
            fewer = unwanted.cardinality() < before;
        }
        unwanted.andNot(withoutSink);
        return unwanted;
    }
}
