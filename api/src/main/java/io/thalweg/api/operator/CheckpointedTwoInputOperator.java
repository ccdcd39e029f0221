// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A {@link TwoInputOperator} whose fields are saved in checkpoints.
 *
 * @param <A> records of the first input
 * @param <B> records of the second input
 * @param <R> records out
 */
public non-sealed interface CheckpointedTwoInputOperator<A, B, R> extends TwoInputOperator<A, B, R>, Checkpointed {}
