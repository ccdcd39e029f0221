// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

import java.util.List;

/**
 * What every operator without keys has, however many inputs it has: implement {@link Operator}, {@link
 * TwoInputOperator} or {@link BroadcastOperator}.
 *
 * @param <R> records out
 */
public sealed interface Lifecycle<R> permits Operator, TwoInputOperator, BroadcastOperator {
    default void open(OperatorContext context) throws Exception {}

    /**
     * The side outputs that this operator may emit to. Only these can be read with {@code side}: a topology that reads another one
     * is refused, because nothing would ever come out of it. Called once or more while the topology is described, before {@link
     * #open}.
     */
    default List<SideOutput<?>> sideOutputs() {
        return List.of();
    }

    /**
     * All input has ended, not been cancelled; last chance to emit. What is emitted here belongs to no record and has no
     * event time.
     */
    default void finish(Output<R> output) throws Exception {}

    default void close() throws Exception {}
}
