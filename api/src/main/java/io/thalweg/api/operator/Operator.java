// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a stream that is not keyed. One instance serves one task and is called by one thread at a time,
 * so its fields need no synchronization. A call should return within a millisecond or so; an operator that waits for
 * something outside must be marked {@code blocking()}.
 *
 * <pre>{@code
 * // drops records that equal the one before
 * final class Changes implements Operator<String, String> {
 *     private String last = "";
 *
 *     public void process(String value, Output<String> output) {
 *         if (!value.equals(last)) {
 *             output.emit(value);
 *             last = value;
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>Calls come in this order: {@link #open}, any number of {@link #process}, {@link #finish} if the input has ended,
 * and always {@link #close}.
 *
 * @param <T> records in
 * @param <R> records out
 */
public non-sealed interface Operator<T, R> extends Lifecycle<R> {
    /**
     * Processes a record. The record may be kept but must not be changed, since other operators may
     * receive the same object. An exception fails the job, except {@link
     * BadRecordException} and {@link RecordFailedException}.
     */
    void process(T value, Output<R> output) throws Exception;
}
