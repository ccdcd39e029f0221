// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;

/** Why two operators are not fused, in the same words for every runner. */
public final class ChainBreak {
    private ChainBreak() {}

    public static String severalInputs(Node to) {
        return "'" + to.name() + "' has several inputs";
    }

    public static String awaitsAnswers(Node to) {
        return "'" + to.name() + "' waits for answers from outside";
    }

    public static String isolated(Node node) {
        return "'" + node.name() + "' is isolated";
    }

    public static String mayBlock(Node node) {
        return "'" + node.name() + "' may block";
    }

    /**
     * Of operators between which records do not go from task i to task i.
     *
     * @param before tasks of the first operator
     * @param after tasks of the second
     */
    public static String regrouped(Edge edge, int before, int after) {
        return before != after
                ? "the parallelism changes from " + before + " to " + after
                : "each record goes to " + edge.grouping().goal();
    }
}
