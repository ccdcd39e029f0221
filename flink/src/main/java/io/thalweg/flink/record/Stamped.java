// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.record;

import io.thalweg.api.operator.OperatorContext;

/**
 * A record of a stream with event time. Its time is that of Flink's record; the stamp, the watermark that its split had before
 * it, travels here. Filled anew by whoever emits: to be kept by nobody.
 */
public final class Stamped {
    public Object value;
    public long stamp = OperatorContext.NO_TIME;

    public Stamped(Object value) {
        this.value = value;
    }
}
