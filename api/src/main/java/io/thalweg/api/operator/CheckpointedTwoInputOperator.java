// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** A {@link TwoInputOperator} whose fields belong to a checkpoint. */
public non-sealed interface CheckpointedTwoInputOperator<A, B, R> extends TwoInputOperator<A, B, R>, Checkpointed {}
