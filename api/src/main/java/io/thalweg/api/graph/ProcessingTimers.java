// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.graph;

import io.thalweg.api.operator.KeyedLifecycle;
import io.thalweg.api.operator.Output;

/** What all runners need to know about an operator's processing-time timers. */
public final class ProcessingTimers {
    private static final String MARK = ", processing-time timers" + NodeSpec.NOT_DETERMINISTIC;

    private ProcessingTimers() {}

    /** Whether the operator uses such timers, that is, overrides {@code onProcessingTimer}. */
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

    /**
     * Rejects a timer that would do nothing.
     *
     * @throws IllegalStateException if {@code used} is false
     */
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
