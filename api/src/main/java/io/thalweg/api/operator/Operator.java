// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a stream that is not keyed. One instance serves one task and is called by one thread at a time;
 * its fields are its own. A call should return within a millisecond or so: an operator that waits for something outside
 * belongs on a stage marked {@code blocking()}.
 *
 * <p>Calls come in this order: {@link #open}, any number of {@link #process}, {@link #finish} if the input came to
 * its end, {@link #close} always.
 *
 * @param <T> records in
 * @param <R> records out
 */
public non-sealed interface Operator<T, R> extends Lifecycle<R> {
    void process(T value, Output<R> output) throws Exception;
}
