// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.io.Serializable;

/**
 * Makes the operator of one task. Called once for every task, on that task's thread; where it is not a constructor
 * reference also once while the topology is described, to see of what class the operator is.
 *
 * @param <O> the operator; where it is a class of its own, the type of what it emits is read from its signature
 */
@FunctionalInterface
public interface OperatorSupplier<O> extends Serializable {
    O get();
}
