// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * An {@link Operator} whose fields are saved in checkpoints.
 *
 * <pre>{@code
 * final class Counter implements CheckpointedOperator<String, Long> {
 *     private long seen;
 *
 *     public void process(String line, Output<Long> output) {
 *         output.emit(++seen);
 *     }
 *
 *     public byte[] save() {
 *         return ByteBuffer.allocate(8).putLong(seen).array();
 *     }
 *
 *     public void restore(List<byte[]> saved) {
 *         seen = saved.stream().mapToLong(bytes -> ByteBuffer.wrap(bytes).getLong()).sum();
 *     }
 * }
 * }</pre>
 *
 * @param <T> records in
 * @param <R> records out
 */
public non-sealed interface CheckpointedOperator<T, R> extends Operator<T, R>, Checkpointed {}
