// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.math.BigInteger;

/** Determines which watermarks matter downstream of an operator, so that the others need not be sent. */
public final class WatermarkSteps {
    private WatermarkSteps() {}

    /**
     * The step of an operator and everything downstream: only watermarks that pass a multiple of it matter; none if it
     * is 0.
     */
    public static long at(TopologyGraph graph, Node node) {
        long step = node.spec().watermarkStep();
        for (Edge edge : graph.outputsOf(node)) {
            step = gcd(step, at(graph, graph.node(edge.to())));
        }
        return step;
    }

    private static long gcd(long a, long b) {
        return BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).longValue();
    }
}
