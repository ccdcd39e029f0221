// SPDX-License-Identifier: Apache-2.0
package io.thalweg.run;

import io.thalweg.api.graph.Edge;
import io.thalweg.api.graph.Node;

/** Why two operators are not fused, in the same words for every runner. */
public final class ChainBreak {
    private ChainBreak() {}

    /** Of an operator with several inputs: it always heads its chain. */
    public static String severalInputs(Node to) {
        return "'" + to.name() + "' has several inputs";
    }

    /** Of an operator that a stream leads back to: it always heads its chain. */
    public static String ledBack(Node to) {
        return "a stream leads back to '" + to.name() + "'";
    }

    /** Of an operator that waits for answers from outside, such as {@code stream.async()}: it always heads its chain. */
    public static String awaitsAnswers(Node to) {
        return "'" + to.name() + "' waits for answers from outside";
    }

    /** Of an operator that the topology declared as isolated. */
    public static String isolated(Node node) {
        return "'" + node.name() + "' is isolated";
    }

    /** Of an operator that may block its thread, such as a source that reads a pipe. */
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
