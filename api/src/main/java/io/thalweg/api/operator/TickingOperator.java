// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.time.Duration;

/**
 * An operator that is also called at a fixed interval of processing time, whether records come or not. Each task ticks by
 * itself. Results depend on when the job runs, so they are not deterministic.
 *
 * <pre>{@code
 * // the number of records, every ten seconds
 * final class Rate implements TickingOperator<Click, Long> {
 *     private long clicks;
 *
 *     public void process(Click click, Output<Long> output) {
 *         clicks++;
 *     }
 *
 *     public Duration tickEvery() {
 *         return Duration.ofSeconds(10);
 *     }
 *
 *     public void onTick(long time, Output<Long> output) {
 *         output.emit(clicks);
 *         clicks = 0;
 *     }
 * }
 * }</pre>
 *
 * @param <T> records in
 * @param <R> records out
 */
public interface TickingOperator<T, R> extends Operator<T, R> {
    /**
     * The interval, from a millisecond to 100 years. Called while the topology is described and when a task is opened, before
     * or after {@link #open}, so it must return a constant.
     */
    Duration tickEvery();

    /**
     * Called for the first time one interval after the task was opened, also if the job was restored; then after each
     * further interval, until the input ends. If the task could not call in time, the ticks that it missed are left
     * out. What is emitted here belongs to no record and has no event time. An exception fails the job.
     *
     * @param time when the tick was due, in epoch milliseconds
     */
    void onTick(long time, Output<R> output) throws Exception;
}
