// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a stream, with a second stream that is broadcast to all its tasks, such as rules that change while the job
 * runs: {@code stream.withBroadcast(rules).process(MyOperator::new)}. What it keeps of the second stream belongs in a {@link
 * BroadcastState} that it declares in {@link #open}. One instance serves one task and is called by one thread at a time.
 *
 * <p>Nothing is said about which input's record comes first: records may be processed before a rule with an earlier event time, or
 * after one with a later one, and not the same on every run. The watermark is the lesser one of both inputs.
 *
 * <pre>{@code
 * final class OverLimit implements BroadcastOperator<Reading, Limit, Reading> {
 *     private BroadcastState<String, Double> limits;
 *
 *     public void open(OperatorContext context) {
 *         limits = context.broadcastState("limits", Type.of(String.class), Type.of(Double.class));
 *     }
 *
 *     public void process(Reading reading, Output<Reading> output) {
 *         Double limit = limits.get(reading.sensor());
 *         if (limit != null && reading.celsius() > limit) {
 *             output.emit(reading);
 *         }
 *     }
 *
 *     public void processBroadcast(Limit limit, Output<Reading> output) {
 *         limits.put(limit.sensor(), limit.celsius());
 *     }
 * }
 * }</pre>
 *
 * @param <A> records of the stream
 * @param <B> records that are broadcast
 * @param <R> records out
 */
public non-sealed interface BroadcastOperator<A, B, R> extends Lifecycle<R> {
    void process(A value, Output<R> output) throws Exception;

    /** Every task is handed every record: what is emitted here is emitted by each of them. */
    void processBroadcast(B value, Output<R> output) throws Exception;
}
