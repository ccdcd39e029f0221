// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Makes the operator of one task. Called once for each task when the job starts, on any thread, and also while the
 * topology is described, to find the operator's class and side outputs: the constructor should only set fields. Must be
 * serializable, so it may capture only serializable values.
 *
 * <pre>{@code clicks.keyBy(Click::user).process(() -> new Visits(timeoutMs))}</pre>
 *
 * @param <O> the operator; if it is a named class, the type that it emits is read from its signature
 */
@FunctionalInterface
public interface OperatorSupplier<O> extends Serializable {
    /** A new operator; never null, and never the same one twice if it has fields that change. */
    O get();
}
