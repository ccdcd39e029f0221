// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.io.Serializable;
import java.util.BitSet;

/**
 * Which sources of a graph are still wanted when some of its limits are reached: those from which a way leads to a sink that
 * passes no such limit. Nodes are numbered by {@link Node#id()}.
 */
public final class Demand implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Of each node, those that it leads to; none of a sink. */
    private final int[][] outputs;

    private final BitSet limits = new BitSet();

    private Demand(TopologyGraph graph) {
        outputs = new int[graph.nodes().size()][];
        for (Node node : graph.nodes()) {
            outputs[node.id()] =
                    graph.outputsOf(node).stream().mapToInt(Edge::to).toArray();
            limits.set(node.id(), node.spec().wantsNoMore());
        }
    }

    public static Demand of(TopologyGraph graph) {
        return new Demand(graph);
    }

    /** The nodes that may say that they want no more input. */
    public BitSet limits() {
        return (BitSet) limits.clone();
    }

    /**
     * The nodes that nobody wants anything of any more.
     *
     * @param reached limits that want no more input
     */
    public BitSet unwanted(BitSet reached) {
        BitSet unwanted = new BitSet();
        for (int node = outputs.length - 1; node >= 0; node--) { // those behind have greater numbers
            boolean wanted = outputs[node].length == 0;
            for (int to : outputs[node]) {
                wanted |= !unwanted.get(to);
            }
            unwanted.set(node, reached.get(node) || !wanted);
        }
        return unwanted;
    }
}
