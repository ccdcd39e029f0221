// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * What all operators without keys have in common: implement {@link Operator}, {@link TwoInputOperator} or {@link
 * BroadcastOperator}. Calls come in this order: {@link #sideOutputs} while the topology is described, {@link #open},
 * any number of records, {@link #finish} if all input has ended, and always {@link #close}. One thread at a time calls.
 *
 * @param <R> records out
 */
public sealed interface Lifecycle<R> permits Operator, TwoInputOperator, BroadcastOperator {
    /**
     * Called once before the first record. An exception fails the job.
     *
     * @param context the place of this task; may be kept in a field
     */
    default void open(OperatorContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads
     * any other is rejected, because nothing would ever come out of it. Called at least once while the topology is
     * described, before {@link #open}, so it must return constants.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    /**
     * Called when all input has ended: the last chance to emit. Not called if the job is cancelled or fails. What is
     * emitted here belongs to no record and has no event time.
     */
    default void finish(Output<R> output) throws Exception {}

    /** Called once, last, also after a failure. Emitting is no longer possible. */
    default void close() throws Exception {}
}
