// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** An {@link Operator} whose fields belong to a checkpoint. */
public non-sealed interface CheckpointedOperator<T, R> extends Operator<T, R>, Checkpointed {}
