// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/**
 * An operator that also emits from threads of its own, at any time: for a client that calls back, a pool of workers, a process
 * that answers when it likes. It may hold records and say later, from any thread, that they are done ({@link
 * SharedOutput#hold}). Calls of the operator come from the task's thread alone, as for any {@link Operator}.
 *
 * <pre>{@code
 * final class Scores implements ThreadedOperator<Photo, Score> {
 *     private final ExecutorService workers = Executors.newFixedThreadPool(4);
 *     private SharedOutput<Score> scores;
 *
 *     public void start(SharedOutput<Score> output) {
 *         scores = output;
 *     }
 *
 *     public void process(Photo photo, Output<Score> output) {
 *         HeldRecord<Score> held = scores.hold();
 *         workers.execute(() -> {
 *             try {
 *                 held.emit(score(photo));
 *                 held.ack();
 *             } catch (Exception e) {
 *                 held.fail(e.toString());
 *             }
 *         });
 *     }
 *
 *     public void close() {
 *         workers.shutdownNow();
 *     }
 * }
 * }</pre>
 *
 * <p>For a request that has one answer, {@code stream.async()} is simpler, and right with exactly-once too. A job with such an
 * operator and the guarantee exactly-once is refused: a checkpoint cannot know what the operator's threads have emitted.
 *
 * @param <T> records in
 * @param <R> records out
 */
public interface ThreadedOperator<T, R> extends Operator<T, R> {
    /**
     * Called once, after {@link #open}, when all tasks are open and restored, and before the first record. An exception fails the
     * job.
     *
     * @param output for any thread; keep it in a field
     */
    void start(SharedOutput<R> output) throws Exception;
}
