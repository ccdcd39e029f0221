// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.operator;

/** What an operator may know of its surroundings. Its methods may be called from the operator's own calls only. */
public interface OperatorContext {
    String operator();

    /** From 0 to {@link #parallelism()} - 1. */
    int task();

    int parallelism();

    /** Event time of the record in hand, in epoch milliseconds; {@link #NO_TIME} if the stream has no event time. */
    long eventTime();

    /** The highest watermark the operator has been told of; {@link #NO_TIME} before the first. */
    long watermark();

    long NO_TIME = Long.MIN_VALUE;
}
