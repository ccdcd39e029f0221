// SPDX-License-Identifier: Apache-2.0
package io.thalweg.flink.source;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * How far the slowest split of a task has come; or, on the way back, of all other tasks.
 *
 * @param watermarks by name of the operator that reads event times
 * @param over the task has read all; on the way back: it is told no more, and may end
 */
record Reached(Map<String, Long> watermarks, boolean over) implements SourceEvent {
    Reached {
        watermarks = Map.copyOf(watermarks);
    }
}
