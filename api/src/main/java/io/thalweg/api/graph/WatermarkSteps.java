// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.window.WindowSpec;
import java.math.BigInteger;

/** Which watermarks matter behind an operator: those that pass a multiple of the step; none where the step is 0. */
public final class WatermarkSteps {
    private WatermarkSteps() {}

    public static long at(TopologyGraph graph, Node node) {
        long step = own(node.spec());
        for (Edge edge : graph.outputsOf(node)) {
            step = gcd(step, at(graph, graph.node(edge.to())));
        }
        return step;
    }

    private static long own(NodeSpec spec) {
        if (spec instanceof NodeSpec.Window window) {
            if (window.window() instanceof WindowSpec.Aligned aligned) {
                // kept windows are let go by the watermark too, so lateness need not pass a multiple
                return gcd(aligned.sizeMs(), aligned.stepMs());
            }
            return window.window() instanceof WindowSpec.Session ? 1 : 0;
        }
        // a user's operator may ask for the watermark or set timers
        return spec instanceof NodeSpec.KeyedProcess || spec instanceof NodeSpec.Process ? 1 : 0;
    }

    private static long gcd(long a, long b) {
        return BigInteger.valueOf(a).gcd(BigInteger.valueOf(b)).longValue();
    }
}
