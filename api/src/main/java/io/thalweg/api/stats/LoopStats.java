// SPDX-License-Identifier: Apache-2.0
package io.thalweg.api.stats;

import java.util.List;

/**
 * A loop of a topology: operators whose streams lead back to them. A job ends when its loops are empty, so one that does not end has
 * records here.
 *
 * @param operators their names, in topological order
 * @param records within the loop at this moment: in queues, in work, or held until answers arrive; windows and timers not included
 * @param kept those of them that wait beyond the queues that lead back
 * @param limit how many may wait there before the job fails
 */
public record LoopStats(List<String> operators, long records, long kept, long limit) {
    public LoopStats {
        operators = List.copyOf(operators);
    }
}
