// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * A user's operator on a stream, with a second stream that is broadcast to all its tasks, such as rules that change
 * while the job runs: {@code stream.withBroadcast(rules).process(MyOperator::new)}. What it keeps of the second stream
 * belongs in a {@link BroadcastState} declared in {@link #open}. One instance serves one task and is called by one
 * thread at a time.
 *
 * <p>There is no order between the inputs: a record may be processed before a rule with an earlier event time or after
 * one with a later one, and differently on each run. The watermark is the minimum of both inputs.
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
 * @param <B> records of the broadcast stream
 * @param <R> records out
 */
public non-sealed interface BroadcastOperator<A, B, R> extends Lifecycle<R> {
    /** Processes a record of the main stream. Broadcast state may be read but not changed here. */
    void process(A value, Output<R> output) throws Exception;

    /**
     * Processes a broadcast record. Every task receives every such record, so whatever is emitted here is emitted once
     * by each task.
     */
    void processBroadcast(B value, Output<R> output) throws Exception;
}
