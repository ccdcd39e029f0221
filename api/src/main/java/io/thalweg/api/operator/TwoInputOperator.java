// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on two streams that are not keyed, of records of different types: {@code
 * first.connect(second).process(MyOperator::new)}. One instance serves one task and is called by one thread at a time, so that
 * its fields may be used for both inputs. Nothing is said about which input's record comes first: of two records of different
 * inputs either may be processed before the other, and not the same one on every run.
 *
 * <p>Calls come in this order: {@link #open}, any number of {@link #processFirst} and {@link #processSecond}, {@link #finish}
 * if both inputs came to their end, {@link #close} always. The watermark is the lesser one of both inputs.
 *
 * @param <A> records of the first input
 * @param <B> records of the second input
 * @param <R> records out
 */
public non-sealed interface TwoInputOperator<A, B, R> extends Lifecycle<R> {
    void processFirst(A value, Output<R> output) throws Exception;

    void processSecond(B value, Output<R> output) throws Exception;
}
