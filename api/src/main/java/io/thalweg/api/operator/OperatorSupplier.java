// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Makes the operator of one task. Called once for every task, on that task's thread, and also while the topology is
 * described, to see of what class the operator is and what side outputs it has: a constructor should only set fields.
 *
 * @param <O> the operator; if it is a class of its own, the type of what it emits is read from its signature
 */
@FunctionalInterface
public interface OperatorSupplier<O> extends Serializable {
    O get();
}
