// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

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
public interface Operator<T, R> {
    default void open(OperatorContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads another one
     * is refused, because nothing would ever come out of it. Called once or more while the topology is described, before {@link
     * #open}.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    void process(T value, Output<R> output) throws Exception;

    /**
     * The input has ended, not been cancelled; last chance to emit. What is emitted here belongs to no record and has no
     * event time.
     */
    default void finish(Output<R> output) throws Exception {}

    default void close() throws Exception {}
}
