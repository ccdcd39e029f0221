// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on two streams of different types that are not keyed: {@code
 * first.connect(second).process(MyOperator::new)}. One instance serves one task and is called by one thread at a time,
 * so its fields may be used for both inputs. There is no order between the inputs: either of two records of different
 * inputs may be processed first, and differently on each run.
 *
 * <p>Calls come in this order: {@link #open}, any number of {@link #processFirst} and {@link #processSecond}, {@link
 * #finish} if both inputs have ended, and always {@link #close}. The watermark is the minimum of both inputs.
 *
 * @param <A> records of the first input
 * @param <B> records of the second input
 * @param <R> records out
 */
public non-sealed interface TwoInputOperator<A, B, R> extends Lifecycle<R> {
    /** Processes a record of the first stream. */
    void processFirst(A value, Output<R> output) throws Exception;

    /** Processes a record of the second stream. */
    void processSecond(B value, Output<R> output) throws Exception;
}
