// SPDX-License-Identifier: Apache-2.0
package io.thalweg.testkit.oracle;

import io.thalweg.api.operator.OperatorContext;

/**
 * A record with its time.
 *
 * @param value the record; never null
 * @param eventTime {@link OperatorContext#NO_TIME} if the stream has none
 * @param stamp the watermark that the record's split had before it
 * @param split number of the split it was read from, over all sources; -1 if it is nobody's, as a window's result
 */
public record Element(Object value, long eventTime, long stamp, int split) {
    static Element untimed(Object value, int split) {
        return new Element(value, OperatorContext.NO_TIME, OperatorContext.NO_TIME, split);
    }

    static Element timed(Object value, long eventTime, long stamp) {
        return new Element(value, eventTime, stamp, -1);
    }

    /** Another record derived from this one: it inherits event time and stamp. */
    Element with(Object other) {
        return new Element(other, eventTime, stamp, split);
    }
}
