// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import java.math.BigInteger;

/** Which watermarks matter behind an operator: those that pass a multiple of the step; none if the step is 0. */
public final class WatermarkSteps {
    private WatermarkSteps() {}

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
