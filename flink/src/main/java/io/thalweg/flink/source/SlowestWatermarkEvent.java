// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The watermark of the slowest split of a task; or, in the other direction, of all other tasks.
 *
 * @param watermarks by name of the operator that reads event times
 * @param over the task has reached the end of its input; in the other direction: no event will follow, so it may end
 */
record SlowestWatermarkEvent(Map<String, Long> watermarks, boolean over) implements SourceEvent {
    SlowestWatermarkEvent {
        watermarks = Map.copyOf(watermarks);
    }
}
