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
}
