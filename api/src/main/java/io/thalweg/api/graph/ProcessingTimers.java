// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.Output;

/** What every road knows of an operator's timers of processing time. */
public final class ProcessingTimers {
    private static final String MARK = ", processing-time timers" + NodeSpec.NOT_DETERMINISTIC;

    private ProcessingTimers() {}

    /** True if the operator can be called by such a timer: its class says what is to happen then. */
    public static boolean usedBy(KeyedLifecycle<?, ?> operator) {
        try {
            return operator.getClass()
                            .getMethod("onProcessingTimer", Object.class, long.class, Output.class)
                            .getDeclaringClass()
                    != KeyedLifecycle.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e); // the interface has it
        }
    }

    /** @throws IllegalStateException if a timer would do nothing */
    public static void check(boolean used) {
        if (!used) {
            throw new IllegalStateException(
                    "setProcessingTimer would do nothing: the operator does not override onProcessingTimer");
        }
    }

    /** What {@code --explain} says of an operator: its kind, and if the results depend on when it runs. */
    static String describe(NodeSpec spec, KeyedLifecycle<?, ?> operator) {
        return spec.kind() + (usedBy(operator) ? MARK : "");
    }

    /** Lines for an explanation that does not describe each operator; empty if the results of all are deterministic. */
    public static String marks(TopologyGraph graph) {
        StringBuilder text = new StringBuilder();
        for (Node node : graph.nodes()) {
            String what = node.spec().describe();
            if (what.endsWith(NodeSpec.NOT_DETERMINISTIC)) {
                text.append("operator '")
                        .append(node.name())
                        .append("': ")
                        .append(what)
                        .append('\n');
            }
        }
        return text.length() == 0 ? "" : "\n" + text;
    }
}
