// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** Where an operator emits. Valid during the call it was handed to, on the calling thread. */
public interface Output<R> {
    /** Emits to the main stream; the record inherits event time and stamp of the one in hand. */
    void emit(R value);

    /**
     * Emits to a side stream, which the topology reads with {@code stream.side(side)}. The operator names it in {@code
     * sideOutputs()}.
     */
    <S> void emit(SideOutput<S> side, S value);
}
